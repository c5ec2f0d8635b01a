import { Text } from "@mantine/core"
import { CopyField } from "../../parts/copy-field"
import { ShownOnce } from "../../parts/shown-once"
import { curlExample } from "./curl-example"
import type { IssuedKey } from "./issued-key"

/** Shows the text of a key once, with an example request. */
export const ApiKeyShown = ({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) => (
  <ShownOnce
    title={`API key for ${issued.name}`}
    warning="Copy the key now and store it in a safe place. You cannot view it again."
    done="I have stored the key"
    onClose={onClose}
  >
    <CopyField label="API key" value={issued.key ?? ""} autoFocus />
    <Text size="sm">Send it in the X-API-Key header. To try it in a terminal:</Text>
    <CopyField label="Example" value={curlExample(issued, location.origin)} isLong />
  </ShownOnce>
)
