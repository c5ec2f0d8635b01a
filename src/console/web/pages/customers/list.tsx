import { customerTypes } from "../../../../shared/suggestions"
import { useMay, useMe } from "../../api/hooks"
import type { Customer } from "../../api/types"
import { money } from "../../format"
import { useActiveBulk } from "../../lists/active-bulk"
import type { Column } from "../../lists/columns"
import { activeFilter, optionsOf } from "../../lists/filters"
import { RecordList } from "../../lists/record-list"
import { StatusBadge } from "../../parts/status-badge"

const filters = [
  activeFilter,
  { key: "type", label: "Type", options: optionsOf(customerTypes, (type) => type) },
]

export default function Customers() {
  const mayWrite = useMay()("customers", "write")
  const { currency } = useMe().company
  const bulk = useActiveBulk("customers")
  return (
    <RecordList
      kind="customers"
      title="Customers"
      noun="customer"
      columns={columnsIn(currency)}
      phone={{
        title: "name",
        amount: ({ outstandingBalance }) => money(outstandingBalance, currency),
        line: ["customerNumber", "status", "email"],
      }}
      filters={filters}
      sort={{ key: "name", order: "asc" }}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/customers/${id}`}
      create={mayWrite && { label: "New customer", href: "/customers/new" }}
      bulk={bulk}
      intro="Add the customers you sell to. Orders and invoices are created for them."
    />
  )
}

const columnsIn = (currency: string): Column<Customer>[] => [...standard(currency), ...extra(currency)]

const standard = (currency: string): Column<Customer>[] => [
  { key: "customerNumber", title: "Number", show: ({ customerNumber }) => customerNumber },
  { key: "name", title: "Name", show: ({ name }) => name },
  { key: "email", title: "Email", show: ({ email }) => email ?? "–" },
  { key: "phone", title: "Phone", show: ({ phone }) => phone ?? "–" },
  {
    key: "address",
    title: "City",
    sorts: false,
    isExtra: true,
    show: ({ address }) => address?.city ?? "–",
    plain: ({ address }) => address?.city ?? null,
  },
  {
    key: "outstandingBalance",
    title: "Outstanding",
    isNumber: true,
    hasSum: true,
    show: ({ outstandingBalance }) => money(outstandingBalance, currency),
  },
  {
    key: "openOrdersValue",
    title: "Open orders",
    isNumber: true,
    hasSum: true,
    show: ({ openOrdersValue }) => money(openOrdersValue, currency),
  },
  { key: "status", title: "Status", show: ({ status }) => <StatusBadge status={status} /> },
]

/** Columns that are hidden by default. */
const extra = (currency: string): Column<Customer>[] => [
  { key: "type", title: "Type", isExtra: true, show: ({ type }) => type },
  {
    key: "creditLimit",
    title: "Credit limit",
    isNumber: true,
    isExtra: true,
    show: ({ creditLimit }) => money(creditLimit, currency),
  },
  {
    key: "paymentTerms",
    title: "Payment terms",
    isExtra: true,
    show: ({ paymentTerms }) => paymentTerms ?? "–",
  },
  { key: "taxId", title: "Tax ID", isExtra: true, show: ({ taxId }) => taxId ?? "–" },
]
