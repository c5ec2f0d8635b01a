import { Text } from "@mantine/core"
import { CopyField } from "../../../console/parts/copy-field"
import { ShownOnce } from "../../../console/parts/shown-once"
import { t } from "../../../console/texts"
import type { IssuedWebhook } from "./fields"

/** Shows the secret of a webhook once. */
export const SecretShown = ({ issued, onClose }: { issued: IssuedWebhook; onClose: () => void }) => (
  <ShownOnce
    title={t(($) => $.webhooks.secretFor)}
    warning={t(($) => $.webhooks.storeSecret)}
    done={t(($) => $.webhooks.secretStored)}
    onClose={onClose}
  >
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      {issued.url}
    </Text>
    <CopyField
      label={t(($) => $.webhooks.secret)}
      copy={t(($) => $.webhooks.copySecret)}
      value={issued.secret ?? ""}
      autoFocus
    />
    <Text size="sm">{t(($) => $.webhooks.howToVerify)}</Text>
  </ShownOnce>
)
