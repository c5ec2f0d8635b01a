import { useMay, useMe } from "../../../console/api/hooks"
import type { Payment } from "../../../console/api/types"
import { date, money, number } from "../../../console/format"
import { paymentMethods } from "../../../trade/page/payment-methods"
import type { Column } from "../../../console/lists/columns"
import { useCustomerInWords } from "../../../console/lists/customer-in-words"
import { optionsOf } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

const filters = [
  { key: "paymentDate", label: common(($) => $.fields.paymentDate), isDate: true as const },
  {
    key: "method",
    label: common(($) => $.fields.method),
    options: optionsOf(paymentMethods, (method) => method),
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

const columnsIn = (currency: string): Column<Payment>[] => [
  { key: "paymentDate", title: t(($) => $.date), show: ({ paymentDate }) => date(paymentDate) },
  { key: "customerName", title: common(($) => $.fields.customer), show: ({ customerName }) => customerName },
  {
    key: "amount",
    title: common(($) => $.fields.amount),
    isNumber: true,
    hasSum: true,
    show: ({ amount }) => money(amount, currency),
  },
  {
    key: "unallocated",
    title: common(($) => $.fields.unallocated),
    isNumber: true,
    hasSum: true,
    show: ({ unallocated }) => money(unallocated, currency),
  },
  {
    key: "allocations",
    title: common(($) => $.kinds.invoices.title),
    sorts: false,
    show: numbersInShort,
  },
  { key: "method", title: common(($) => $.fields.method), show: ({ method }) => method ?? "–" },
  { key: "reference", title: common(($) => $.fields.reference), show: ({ reference }) => reference ?? "–" },
  ...extra(currency),
]

/** Columns that are hidden by default. */
const extra = (currency: string): Column<Payment>[] =>
  (["allocated", "refunded"] as const).map((key) => ({
    key,
    title: common(($) => $.fields[key]),
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: (payment) => money(payment[key], currency),
  }))

export default function Payments() {
  const { currency } = useMe().company
  const describe = useCustomerInWords()
  return (
    <RecordList
      kind="payments"
      title={common(($) => $.kinds.payments.title)}
      columns={columnsIn(currency)}
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
      hrefOf={({ id }) => `/payments/${id}`}
      create={useMay()("invoices", "write") && { label: t(($) => $.record), href: "/payments/new" }}
      describe={describe}
      intro={t(($) => $.intro)}
    />
  )
}
