import { Button } from "@mantine/core"
import { useState } from "react"
import { taxCategories } from "../../../shared/tax"
import { useMay } from "../../../console/api/hooks"
import type { TaxCode } from "../../../console/api/types"
import { moment, number } from "../../../console/format"
import { useActiveBulk } from "../../../console/lists/active-bulk"
import type { Column } from "../../../console/lists/columns"
import { RecordList } from "../../../console/lists/record-list"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { countryName } from "../../../console/forms/countries"
import { PresetsDialog } from "./presets-dialog"
import { useCountry } from "./use-country"

const filters = [
  {
    key: "category",
    label: t(($) => $.taxCodes.category),
    options: taxCategories.map((value) => ({ value, label: t(($) => $.values.taxCategory[value]) })),
  },
  {
    key: "isActive",
    label: t(($) => $.common.status),
    options: [
      { value: "true", label: t(($) => $.values.status.active) },
      { value: "false", label: t(($) => $.values.status.inactive) },
    ],
  },
]

export default function TaxCodes() {
  const mayWrite = useMay()("items", "write")
  const bulk = useActiveBulk("tax-codes")
  const country = useCountry()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <RecordList
        kind="tax-codes"
        title={t(($) => $.taxCodes.title)}
        columns={columns}
        phone={{ title: "name", amount: rateOf, line: ["code", "category", "isActive"] }}
        filters={filters}
        sort={{ key: "code", order: "asc" }}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `/settings/tax-codes/${id}`}
        create={mayWrite && { label: t(($) => $.taxCodes.new), href: "/settings/tax-codes/new" }}
        actions={
          mayWrite && (
            <Button variant="default" onClick={() => setAdding(true)}>
              {country === null
                ? t(($) => $.taxCodes.addFrom)
                : t(($) => $.taxCodes.addOf, { country: countryName(country) ?? country })}
            </Button>
          )
        }
        bulk={bulk}
        intro={t(($) => $.taxCodes.intro)}
      />
      {isAdding && <PresetsDialog country={country} onClose={() => setAdding(false)} />}
    </>
  )
}

const rateOf = ({ rate }: TaxCode) => `${number(rate)} %`

const columns: Column<TaxCode>[] = [
  { key: "code", title: t(($) => $.taxCodes.code), show: ({ code }) => code },
  { key: "name", title: t(($) => $.common.name), show: ({ name }) => name },
  {
    key: "category",
    title: t(($) => $.taxCodes.category),
    show: ({ category }) => t(($) => $.values.taxCategory[category]),
  },
  { key: "rate", title: t(($) => $.taxCodes.rate), isNumber: true, show: rateOf },
  {
    key: "isUsed",
    title: t(($) => $.taxCodes.used),
    show: ({ isUsed }) => (isUsed ? t(($) => $.taxCodes.used) : "–"),
  },
  {
    key: "isActive",
    title: t(($) => $.common.status),
    show: ({ isActive }) => <StatusBadge status={isActive ? "active" : "inactive"} />,
  },
  {
    key: "reason",
    title: t(($) => $.taxCodes.reason),
    isExtra: true,
    show: ({ reason }) => reason ?? "–",
  },
  {
    key: "updatedAt",
    title: t(($) => $.common.updated),
    isExtra: true,
    show: ({ updatedAt }) => moment(updatedAt),
  },
]
