import { Text } from "@mantine/core"
import { CopyField, ShownOnce } from "../../../console/parts/copy-field"
import { t } from "./texts"
import type { IssuedWebhook } from "./fields"

/** Shows the secret of a webhook once. */
export const SecretShown = ({ issued, onClose }: { issued: IssuedWebhook; onClose: () => void }) => (
  <ShownOnce
    title={t(($) => $.secretFor)}
    warning={t(($) => $.storeSecret)}
    done={t(($) => $.secretStored)}
    onClose={onClose}
  >
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      {issued.url}
    </Text>
    <CopyField
      label={t(($) => $.secret)}
      copy={t(($) => $.copySecret)}
      value={issued.secret ?? ""}
      autoFocus
    />
    <Text size="sm">{t(($) => $.howToVerify)}</Text>
  </ShownOnce>
)
