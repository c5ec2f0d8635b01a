import type { CreditNote } from "../../../console/api/types"
import type { Removal } from "../../../trade/page/part-list"
import { t } from "./texts"

type Application = CreditNote["applications"][number]

/** How an application is voided. `version` is that of the credit note, where it is known. */
export const applicationRemoval = (
  { id, creditNote, creditNoteNumber, invoiceNumber }: Application,
  amount: string,
  version?: number,
): Removal => ({
  path: `/credit-notes/${creditNote}/applications/${id}`,
  version,
  label: t(($) => $.voidApplication, { amount, invoice: invoiceNumber }),
  question: {
    title: t(($) => $.confirmVoidApplication, { amount }),
    text: t(($) => $.confirmVoidApplicationText, {
      invoice: invoiceNumber,
      creditNote: creditNoteNumber,
    }),
  },
  done: t(($) => $.applicationVoided, { amount }),
})

/** How a refund is voided. `of` is the API path of the credit note or of the payment. */
export const refundRemoval = (of: string, id: string, amount: string, version: number): Removal => ({
  path: `${of}/refunds/${id}`,
  version,
  label: t(($) => $.voidRefund, { amount }),
  question: {
    title: t(($) => $.confirmVoidRefund, { amount }),
    text: t(($) => $.confirmVoidRefundText),
  },
  done: t(($) => $.refundVoided, { amount }),
})
