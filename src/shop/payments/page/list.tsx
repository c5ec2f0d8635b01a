import { useMe } from "../../../console/api/hooks"
import type { Payment } from "../../../console/api/types"
import { date, money, number } from "../../../console/format"
import { columnsOf } from "../../../trade/page/columns"
import { dateFilter, DocumentList } from "../../../trade/page/document-list"
import { alsoCalled } from "../../../shared/suggestions"
import { methodInWords, paymentMethods } from "../../../trade/page/suggestions"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

const filters = [
  dateFilter("paymentDate"),
  {
    key: "method",
    label: common(($) => $.fields.method),
    options: paymentMethods.map((value) => ({
      value,
      label: methodInWords(value),
      also: alsoCalled(value),
    })),
  },
  { key: "unallocated[gt]", label: t(($) => $.hasRest), on: "0" },
]

const numbersOf = ({ allocations }: Payment): string[] =>
  allocations.map(({ invoiceNumber }) => invoiceNumber)

/** The first invoice, and how many more there are: INV-2026-00001 +2. */
function numbersInShort(payment: Payment): string {
  const [first, ...others] = numbersOf(payment)
  return others.length > 0 ? `${first} +${number(others.length)}` : (first ?? "–")
}

const columns = columnsOf(
  "payments",
  [
    { key: "paymentDate", title: t(($) => $.date), show: ({ paymentDate }) => date(paymentDate) },
    { key: "customerName", title: common(($) => $.fields.customer) },
    { key: "amount", as: "money", hasSum: true },
    { key: "unallocated", as: "money", hasSum: true },
    { key: "allocations", title: common(($) => $.kinds.invoices.title), sorts: false, show: numbersInShort },
    "method",
    "reference",
  ],
  [
    { key: "allocated", as: "money", hasSum: true },
    { key: "refunded", as: "money", hasSum: true },
  ],
)

export default function Payments() {
  const { currency } = useMe().company
  return (
    <DocumentList
      kind="payments"
      columns={columns}
      phone={{
        title: "customerName",
        amount: ({ amount }) => money(amount, currency),
        line: ["paymentDate", "allocations", "method"],
      }}
      filters={filters}
      sort={{ key: "paymentDate", order: "desc" }}
      nameOf={({ amount, customerName }) =>
        t(($) => $.nameOf, { amount: money(amount, currency), customer: customerName })
      }
      create={t(($) => $.record)}
      intro={t(($) => $.intro)}
    />
  )
}
