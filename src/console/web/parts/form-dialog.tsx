import { Modal, type MantineSize } from "@mantine/core"
import { useEffect, useState, type ReactNode } from "react"
import { RecordForm } from "../forms/record-form"
import type { RecordFormState } from "../forms/use-record-form"
import { t } from "../texts"

type Props = {
  title: string
  state: RecordFormState
  submit: string
  onClose: () => void
  size?: MantineSize
  /** More buttons next to the save button. */
  actions?: ReactNode
  children: ReactNode
}

/** A form in a dialog that is mounted while open. With unsaved changes, only its buttons close it. */
export function FormDialog({ title, state, submit, onClose, size = "lg", actions, children }: Props) {
  useRestoreFocus()
  const isTouched = state.form.isDirty()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeOnEscape={!isTouched}
      closeOnClickOutside={!isTouched}
      closeButtonProps={{ "aria-label": t(($) => $.parts.closeWithoutSaving) }}
    >
      <RecordForm state={state} submit={submit} onCancel={onClose} actions={actions}>
        {children}
      </RecordForm>
    </Modal>
  )
}

/** Returns the focus to the element that opened the dialog, after the dialog closes. */
export function useRestoreFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => void (opener instanceof HTMLElement && opener.focus({ preventScroll: true })),
    [opener],
  )
}
