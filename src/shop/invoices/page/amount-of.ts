import type { Invoice } from "../../../console/api/types"
import { money } from "../../../console/format"
import { t } from "./texts"

type Amounts = Pick<Invoice, "status" | "total" | "balance" | "currency">

/**
 * The amount of an invoice where there is room for one: what is left to pay, if that is not the total. A deposit, a credit or a
 * write-off lowers it too, while the invoice is still unpaid.
 */
export const amountOf = ({ status, total, balance, currency }: Amounts): string =>
  (status === "unpaid" || status === "partially_paid") && balance !== total
    ? t(($) => $.openAmount, { amount: money(balance, currency) })
    : money(total, currency)
