import type { MantineSize } from "@mantine/core"
import type { ReactNode } from "react"
import { FormDialog } from "../../../console/parts/form-dialog"
import type { RecordFormState } from "../../../console/forms/use-record-form"
import { AlsoSend } from "./also-send"
import { useRecipient } from "./recipient"
import { SendsTo } from "./sends-to"

type Props = {
  title: string
  state: RecordFormState & { saveAndSend: () => void }
  /** The texts of the two buttons: the one that creates the document, and the one that also sends it. */
  submit: string
  andSend: string
  /** The document that the new one is made from: its customer gets the new one. */
  source: { customer: string; customerName: string }
  /** False for what is not about money, which does not go to the address for invoices. */
  isBilling?: boolean
  size?: MantineSize
  onClose: () => void
  children: ReactNode
}

/** A dialog that makes a document from another one, and can send it to the customer at once. */
export function CreateDialog({ andSend, source, isBilling = true, children, ...dialog }: Props) {
  const { state } = dialog
  const { data: recipient } = useRecipient(source.customer, isBilling)
  const sending = (
    <AlsoSend recipient={recipient} label={andSend} isBusy={state.isSaving} onClick={state.saveAndSend} />
  )
  return (
    <FormDialog {...dialog} actions={sending}>
      {children}
      {recipient && <SendsTo recipient={recipient} action={andSend} customer={source.customerName} />}
    </FormDialog>
  )
}
