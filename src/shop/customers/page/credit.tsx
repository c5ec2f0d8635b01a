import { useMe, useRead } from "../../../console/api/hooks"
import type { CreditNote, Customer, Payment } from "../../../console/api/types"
import { date, money } from "../../../console/format"
import { t } from "../../../console/texts"
import { RestActions } from "../../payments/page/rest-actions"
import { Item, Items } from "./open-items"

/** What is left of the credit notes and the payments of a customer. Credit notes are used on their own pages. */
export function Credit({ customer: { id, creditBalance } }: { customer: Customer }) {
  const { currency } = useMe().company
  const hasCredit = creditBalance > 0
  const { data: notes = [] } = useRead<CreditNote[]>(`/credit-notes?${query(id, "unapplied")}`, hasCredit)
  const { data: payments = [] } = useRead<Payment[]>(`/payments?${query(id, "unallocated")}`, hasCredit)
  if (!hasCredit) return null
  return (
    <Items title={t(($) => $.customers.credit)} amount={money(creditBalance, currency)}>
      {notes.map(({ id, creditNoteNumber, creditNoteDate, unapplied }) => (
        <Item
          key={id}
          href={`/credit-notes/${id}`}
          name={creditNoteNumber}
          detail={date(creditNoteDate)}
          amount={money(unapplied, currency)}
        />
      ))}
      {payments.map((payment) => (
        <Item
          key={payment.id}
          href={`/payments/${payment.id}`}
          name={t(($) => $.payments.title, { amount: money(payment.amount, currency) })}
          detail={date(payment.paymentDate)}
          amount={money(payment.unallocated, currency)}
          actions={<RestActions payment={payment} isRow />}
        />
      ))}
    </Items>
  )
}

/** The oldest records of a customer of which something is left. */
const query = (customer: string, rest: string) =>
  new URLSearchParams({ customer, [`${rest}[gt]`]: "0", sort: "createdAt", order: "asc", perPage: "20" })
