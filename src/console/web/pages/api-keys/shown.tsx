import { Text } from "@mantine/core"
import { CopyField } from "../../parts/copy-field"
import { ShownOnce } from "../../parts/shown-once"
import { curlExample } from "./curl-example"
import type { IssuedKey } from "./issued-key"

/** Shows the text of a key once, and how to try it. */
export const ApiKeyShown = ({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) => (
  <ShownOnce
    title={`The key of ${issued.name}`}
    warning="Copy the key now and keep it in a safe place. Kontor keeps no copy, and it will not be shown again."
    done="I have stored the key"
    onClose={onClose}
  >
    <CopyField label="API key" value={issued.key ?? ""} autoFocus />
    <Text size="sm">Send it as the header X-API-Key. To try it from a terminal:</Text>
    <CopyField label="Example" value={curlExample(issued, location.origin)} isLong />
  </ShownOnce>
)
