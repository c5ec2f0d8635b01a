import { Modal, type MantineSize } from "@mantine/core"
import { useEffect, useRef, useState, type ReactNode } from "react"
import { RecordForm } from "../forms/record-form"
import type { RecordFormState } from "../forms/use-record-form"
import { mayDiscard } from "../forms/unsaved"

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

/**
 * A form in a dialog that is mounted while open. With unsaved changes, only its buttons close it without a question:
 * Escape, the cross and a click outside ask first.
 */
export function FormDialog({ title, state, submit, onClose, size = "lg", actions, children }: Props) {
  useRestoreFocus()
  const isAsking = useRef(false)
  const ask = async () => {
    // Escape in the question itself reaches this dialog, too.
    if (isAsking.current) return
    isAsking.current = true
    const isDiscarded = !state.form.isDirty() || (await mayDiscard())
    // Not before the key has reached all dialogs.
    setTimeout(() => (isAsking.current = false))
    if (isDiscarded) onClose()
  }
  return (
    <Modal opened onClose={() => void ask()} title={title} size={size}>
      <RecordForm state={state} submit={submit} onCancel={onClose} actions={actions}>
        {children}
      </RecordForm>
    </Modal>
  )
}

/**
 * Returns the focus to the element that opened the dialog, after the dialog closes. If that element has disappeared, the
 * title of the page gets it, so that the next Tab does not begin at the menu.
 */
export function useRestoreFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const target = opener?.isConnected ? opener : document.querySelector("h1")
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    },
    [opener],
  )
}
