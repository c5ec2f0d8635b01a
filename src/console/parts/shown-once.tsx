import { Alert, Button, Group, Modal, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { t } from "../texts"
import { useRestoreFocus } from "./form-dialog"

type Props = { title: string; warning: string; done: string; onClose: () => void; children: ReactNode }

/** Shows a secret that cannot be shown again. Only the button closes the dialog, to prevent closing it by mistake. */
export function ShownOnce({ title, warning, done, onClose, children }: Props) {
  useRestoreFocus()
  return (
    <Modal
      opened
      onClose={() => {}}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert color="yellow" title={t(($) => $.parts.shownOnce)}>
          {warning}
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
