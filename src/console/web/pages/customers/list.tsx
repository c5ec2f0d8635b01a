import { call } from "../../api/client"
import { useMay, useMe } from "../../api/hooks"
import type { Customer } from "../../api/types"
import { money } from "../../format"
import type { BulkAction } from "../../lists/bulk-bar"
import type { Column } from "../../lists/columns"
import { RecordList } from "../../lists/record-list"
import { StatusBadge } from "../../parts/status-badge"
import { customerTypes } from "./suggestions"

const filters = [
  {
    key: "status",
    label: "Status",
    options: [
      { value: "active", label: "Active" },
      { value: "inactive", label: "Inactive" },
    ],
  },
  { key: "type", label: "Type", options: customerTypes.map((value) => ({ value, label: value })) },
]

const setActive = (isActive: boolean) => (customer: Customer) =>
  call("PUT", `/customers/${customer.id}`, { body: { isActive }, version: customer.version })

export default function Customers() {
  const may = useMay()
  const { currency } = useMe().company
  const bulk: BulkAction<Customer>[] = [
    { label: "Activate", done: "activated", run: setActive(true) },
    { label: "Deactivate", done: "deactivated", run: setActive(false) },
  ]
  if (may("customers", "delete"))
    bulk.push({
      label: "Delete",
      done: "deleted",
      isDangerous: true,
      run: ({ id, version }) => call("DELETE", `/customers/${id}`, { version }),
    })
  return (
    <RecordList
      kind="customers"
      title="Customers"
      noun="customer"
      columns={columnsIn(currency)}
      filters={filters}
      sort={{ key: "name", order: "asc" }}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/customers/${id}`}
      create={may("customers", "write") && { label: "New customer", href: "/customers/new" }}
      bulk={may("customers", "write") ? bulk : []}
      intro="Customers are who you sell to. Orders and invoices are made out to them."
    />
  )
}

const columnsIn = (currency: string): Column<Customer>[] => [
  { key: "customerNumber", title: "Number", isWhole: true, show: ({ customerNumber }) => customerNumber },
  { key: "name", title: "Name", show: ({ name }) => name },
  { key: "email", title: "E-mail", show: ({ email }) => email ?? "–" },
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
    show: ({ outstandingBalance }) => money(outstandingBalance, currency),
  },
  {
    key: "openOrdersValue",
    title: "Open orders",
    isNumber: true,
    show: ({ openOrdersValue }) => money(openOrdersValue, currency),
  },
  { key: "status", title: "Status", show: ({ status }) => <StatusBadge status={status} /> },
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
