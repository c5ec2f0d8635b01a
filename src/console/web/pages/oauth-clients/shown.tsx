import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { CopyField } from "../../parts/copy-field"
import { useFocusGoesBack } from "../../parts/form-dialog"
import { ShownOnce } from "../../parts/shown-once"
import { OAuthAddresses } from "./addresses"
import type { IssuedClient } from "./fields"

type Props = { issued: IssuedClient; onClose: () => void }

/** What the builder of the application needs. A secret, where there is one, is shown only once. */
export const OAuthClientShown = (props: Props) =>
  props.issued.clientSecret ? (
    <ShownOnce
      title={`How ${props.issued.name} connects`}
      warning="Copy the secret now and keep it in a safe place. Kontor keeps no copy, and it will not be shown again."
      done="I have stored the secret"
      onClose={props.onClose}
    >
      <CopyField label="Client id" value={props.issued.clientId} />
      <CopyField label="Client secret" value={props.issued.clientSecret} autoFocus />
      <OAuthAddresses />
    </ShownOnce>
  ) : (
    <WithoutSecret {...props} />
  )

function WithoutSecret({ issued, onClose }: Props) {
  useFocusGoesBack()
  return (
    <Modal opened onClose={onClose} title={`How ${issued.name} connects`} size="lg">
      <Stack>
        <CopyField label="Client id" value={issued.clientId} autoFocus />
        <Text size="sm">A public client has no secret.</Text>
        <OAuthAddresses />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
