import { Text } from "@mantine/core"
import { CopyField } from "../../../console/parts/copy-field"
import { ShownOnce } from "../../../console/parts/shown-once"
import { t } from "../../../console/texts"
import { curlExample } from "./curl-example"
import type { IssuedKey } from "./issued-key"

/** Shows the text of a key once, with an example request. */
export const ApiKeyShown = ({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) => (
  <ShownOnce
    title={t(($) => $.apiKeys.keyFor, { name: issued.name })}
    warning={t(($) => $.apiKeys.storeKey)}
    done={t(($) => $.apiKeys.keyStored)}
    onClose={onClose}
  >
    <CopyField
      label={t(($) => $.apiKeys.key)}
      copy={t(($) => $.apiKeys.copyKey)}
      value={issued.key ?? ""}
      autoFocus
    />
    <Text size="sm">{t(($) => $.apiKeys.tryIt)}</Text>
    <CopyField
      label={t(($) => $.apiKeys.example)}
      copy={t(($) => $.apiKeys.copyExample)}
      value={curlExample(issued, location.origin)}
      isLong
    />
  </ShownOnce>
)
