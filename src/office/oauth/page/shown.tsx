import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { CopyField } from "../../../console/parts/copy-field"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { ShownOnce } from "../../../console/parts/shown-once"
import { t } from "../../../console/texts"
import { OAuthAddresses } from "./addresses"
import type { IssuedClient } from "./fields"

type Props = { issued: IssuedClient; onClose: () => void }

/** The credentials and endpoints for the developer of a client. A secret is shown only once. */
export const OAuthClientShown = (props: Props) =>
  props.issued.clientSecret ? (
    <ShownOnce
      title={t(($) => $.oauthClients.credentialsFor, { name: props.issued.name })}
      warning={t(($) => $.oauthClients.storeSecret)}
      done={t(($) => $.oauthClients.secretStored)}
      onClose={props.onClose}
    >
      <CopyField
        label={t(($) => $.oauthClients.clientId)}
        copy={t(($) => $.oauthClients.copyClientId)}
        value={props.issued.clientId}
      />
      <CopyField
        label={t(($) => $.oauthClients.clientSecret)}
        copy={t(($) => $.oauthClients.copyClientSecret)}
        value={props.issued.clientSecret}
        autoFocus
      />
      <OAuthAddresses />
    </ShownOnce>
  ) : (
    <WithoutSecret {...props} />
  )

function WithoutSecret({ issued, onClose }: Props) {
  useRestoreFocus()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(($) => $.oauthClients.credentialsFor, { name: issued.name })}
      size="lg"
    >
      <Stack>
        <CopyField
          label={t(($) => $.oauthClients.clientId)}
          copy={t(($) => $.oauthClients.copyClientId)}
          value={issued.clientId}
          autoFocus
        />
        <Text size="sm">{t(($) => $.oauthClients.noSecret)}</Text>
        <OAuthAddresses />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t(($) => $.common.done)}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
