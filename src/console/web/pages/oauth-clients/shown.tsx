import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { CopyField } from "../../parts/copy-field"
import { useRestoreFocus } from "../../parts/form-dialog"
import { ShownOnce } from "../../parts/shown-once"
import { OAuthAddresses } from "./addresses"
import type { IssuedClient } from "./fields"

type Props = { issued: IssuedClient; onClose: () => void }

/** The credentials and endpoints for the developer of a client. A secret is shown only once. */
export const OAuthClientShown = (props: Props) =>
  props.issued.clientSecret ? (
    <ShownOnce
      title={`Credentials for ${props.issued.name}`}
      warning="Copy the secret now and store it in a safe place. You cannot view it again."
      done="I have stored the secret"
      onClose={props.onClose}
    >
      <CopyField label="Client ID" value={props.issued.clientId} />
      <CopyField label="Client secret" value={props.issued.clientSecret} autoFocus />
      <OAuthAddresses />
    </ShownOnce>
  ) : (
    <WithoutSecret {...props} />
  )

function WithoutSecret({ issued, onClose }: Props) {
  useRestoreFocus()
  return (
    <Modal opened onClose={onClose} title={`Credentials for ${issued.name}`} size="lg">
      <Stack>
        <CopyField label="Client ID" value={issued.clientId} autoFocus />
        <Text size="sm">A public client has no secret.</Text>
        <OAuthAddresses />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
