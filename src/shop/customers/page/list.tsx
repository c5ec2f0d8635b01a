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
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { customerTypeInWords } from "./customer-types"

const filters = [
  activeFilter,
  {
    key: "type",
    label: common(($) => $.common.type),
    options: optionsOf(customerTypes, customerTypeInWords),
  },
]

export default function Customers() {
  const mayWrite = useMay()("customers", "write")
  const { currency } = useMe().company
  const bulk = useActiveBulk("customers")
  return (
    <RecordList
      kind="customers"
      title={common(($) => $.kinds.customers.title)}
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
      create={mayWrite && { label: t(($) => $.new), href: "/customers/new" }}
      actions={<ImportButton kind="customers" />}
      bulk={bulk}
      bulkFields={["id", "version", "name", "isActive"]}
      intro={t(($) => $.intro)}
    />
  )
}

const columnsIn = (currency: string): Column<Customer>[] => [...standard(currency), ...extra(currency)]

const standard = (currency: string): Column<Customer>[] => [
  {
    key: "customerNumber",
    title: common(($) => $.common.number),
    show: ({ customerNumber }) => customerNumber,
  },
  { key: "name", title: common(($) => $.common.name), show: ({ name }) => name },
  { key: "email", title: common(($) => $.common.email), show: ({ email }) => email ?? "–" },
  { key: "phone", title: common(($) => $.fields.phone), show: ({ phone }) => phone ?? "–" },
  {
    key: "address",
    title: common(($) => $.fields.city),
    sorts: false,
    isExtra: true,
    show: ({ address }) => address?.city ?? "–",
  },
  {
    key: "outstandingBalance",
    title: t(($) => $.outstanding),
    isNumber: true,
    hasSum: true,
    show: ({ outstandingBalance }) => money(outstandingBalance, currency),
  },
  {
    key: "openOrdersValue",
    title: t(($) => $.openOrders),
    isNumber: true,
    hasSum: true,
    show: ({ openOrdersValue }) => money(openOrdersValue, currency),
  },
  {
    key: "status",
    title: common(($) => $.common.status),
    show: ({ status }) => <StatusBadge status={status} />,
  },
]

/** Columns that are hidden by default. */
const extra = (currency: string): Column<Customer>[] => [
  {
    key: "type",
    title: common(($) => $.common.type),
    isExtra: true,
    show: ({ type }) => customerTypeInWords(type),
  },
  {
    key: "creditLimit",
    title: common(($) => $.fields.creditLimit),
    isNumber: true,
    isExtra: true,
    show: ({ creditLimit }) => money(creditLimit, currency),
  },
  {
    key: "paymentTerms",
    title: common(($) => $.fields.paymentTerms),
    isExtra: true,
    show: ({ paymentTerms }) => paymentTerms ?? "–",
  },
  {
    key: "contactName",
    title: common(($) => $.fields.contactName),
    isExtra: true,
    show: ({ contactName }) => contactName ?? "–",
  },
  {
    key: "taxTreatment",
    title: common(($) => $.fields.taxTreatment),
    isExtra: true,
    show: ({ taxTreatment }) => common(($) => $.values.taxTreatment[taxTreatment]),
  },
  { key: "taxId", title: common(($) => $.common.taxId), isExtra: true, show: ({ taxId }) => taxId ?? "–" },
]
