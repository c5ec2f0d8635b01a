import type { CreditNote } from "../../../console/api/types"
import type { Removal } from "../../../trade/page/part-list"
import { t } from "../../../console/texts"

type Application = CreditNote["applications"][number]

/** How an application is voided. `version` is that of the credit note, where it is known. */
export const applicationRemoval = (
  { id, creditNote, creditNoteNumber, invoiceNumber }: Application,
  amount: string,
  version?: number,
): Removal => ({
  path: `/credit-notes/${creditNote}/applications/${id}`,
  version,
  label: t(($) => $.creditNotes.voidApplication, { amount, invoice: invoiceNumber }),
  question: {
    title: t(($) => $.creditNotes.confirmVoidApplication, { amount }),
    text: t(($) => $.creditNotes.confirmVoidApplicationText, {
      invoice: invoiceNumber,
      creditNote: creditNoteNumber,
    }),
  },
  done: t(($) => $.creditNotes.applicationVoided, { amount }),
})

/** How a refund is voided. `of` is the API path of the credit note or of the payment. */
export const refundRemoval = (of: string, id: string, amount: string, version: number): Removal => ({
  path: `${of}/refunds/${id}`,
  version,
  label: t(($) => $.creditNotes.voidRefund, { amount }),
  question: {
    title: t(($) => $.creditNotes.confirmVoidRefund, { amount }),
    text: t(($) => $.creditNotes.confirmVoidRefundText),
  },
  done: t(($) => $.creditNotes.refundVoided, { amount }),
})
