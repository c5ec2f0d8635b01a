import { customerTypes } from "../../../shared/suggestions"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Customer } from "../../../console/api/types"
import { money } from "../../../console/format"
import { useActiveBulk } from "../../../console/lists/active-bulk"
import type { Column } from "../../../console/lists/columns"
import { activeFilter, optionsOf } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { ImportButton } from "../../../console/parts/import-button"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { customerTypeInWords } from "./customer-types"

const filters = [
  activeFilter,
  { key: "type", label: t(($) => $.common.type), options: optionsOf(customerTypes, customerTypeInWords) },
]

export default function Customers() {
  const mayWrite = useMay()("customers", "write")
  const { currency } = useMe().company
  const bulk = useActiveBulk("customers")
  return (
    <RecordList
      kind="customers"
      title={t(($) => $.kinds.customers.title)}
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
      create={mayWrite && { label: t(($) => $.customers.new), href: "/customers/new" }}
      actions={<ImportButton kind="customers" />}
      bulk={bulk}
      bulkFields={["id", "version", "name", "isActive"]}
      intro={t(($) => $.customers.intro)}
    />
  )
}

const columnsIn = (currency: string): Column<Customer>[] => [...standard(currency), ...extra(currency)]

const standard = (currency: string): Column<Customer>[] => [
  {
    key: "customerNumber",
    title: t(($) => $.common.number),
    show: ({ customerNumber }) => customerNumber,
  },
  { key: "name", title: t(($) => $.common.name), show: ({ name }) => name },
  { key: "email", title: t(($) => $.common.email), show: ({ email }) => email ?? "–" },
  { key: "phone", title: t(($) => $.fields.phone), show: ({ phone }) => phone ?? "–" },
  {
    key: "address",
    title: t(($) => $.fields.city),
    sorts: false,
    isExtra: true,
    show: ({ address }) => address?.city ?? "–",
  },
  {
    key: "outstandingBalance",
    title: t(($) => $.customers.outstanding),
    isNumber: true,
    hasSum: true,
    show: ({ outstandingBalance }) => money(outstandingBalance, currency),
  },
  {
    key: "openOrdersValue",
    title: t(($) => $.customers.openOrders),
    isNumber: true,
    hasSum: true,
    show: ({ openOrdersValue }) => money(openOrdersValue, currency),
  },
  {
    key: "status",
    title: t(($) => $.common.status),
    show: ({ status }) => <StatusBadge status={status} />,
  },
]

/** Columns that are hidden by default. */
const extra = (currency: string): Column<Customer>[] => [
  {
    key: "type",
    title: t(($) => $.common.type),
    isExtra: true,
    show: ({ type }) => customerTypeInWords(type),
  },
  {
    key: "creditLimit",
    title: t(($) => $.fields.creditLimit),
    isNumber: true,
    isExtra: true,
    show: ({ creditLimit }) => money(creditLimit, currency),
  },
  {
    key: "paymentTerms",
    title: t(($) => $.fields.paymentTerms),
    isExtra: true,
    show: ({ paymentTerms }) => paymentTerms ?? "–",
  },
  {
    key: "contactName",
    title: t(($) => $.fields.contactName),
    isExtra: true,
    show: ({ contactName }) => contactName ?? "–",
  },
  {
    key: "taxTreatment",
    title: t(($) => $.fields.taxTreatment),
    isExtra: true,
    show: ({ taxTreatment }) => t(($) => $.values.taxTreatment[taxTreatment]),
  },
  { key: "taxId", title: t(($) => $.common.taxId), isExtra: true, show: ({ taxId }) => taxId ?? "–" },
]
