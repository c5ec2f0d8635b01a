import { importFields, importKeys, importStandIns } from "../../../shared/import-fields"
import type { Right } from "../../../shared/rights"
import type { Import } from "../../../kinds"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { fieldName } from "../../../console/texts/fields"

export type { Import }
export type ImportKind = Import["kind"]
export type ImportMode = Import["mode"]
export type Format = NonNullable<Import["format"]>
export type DuplicateChoice = "create" | "skip" | "update"
export type PriceSense = NonNullable<Import["columns"][number]["prices"]>

/** How the console shows an import of a kind. */
type KindInfo = {
  title: string
  /** Which file is expected. */
  hint: string
  right: Right
  /** The page from which it is opened. */
  parent: { title: string; href: string }
  /** The newest imported records. */
  records: { title: string; href: string }
  /** False if records are only created, or only changed. */
  hasModes: boolean
  hasDates: boolean
}

const newest = "sort=createdAt&order=desc"

export const importKinds: Record<ImportKind, KindInfo> = {
  items: {
    title: common(($) => $.kinds.items.title),
    hint: t(($) => $.hint.items),
    right: { area: "items", scope: "write" },
    parent: { title: common(($) => $.kinds.items.title), href: "/items" },
    records: { title: t(($) => $.records.items), href: `/items?${newest}` },
    hasModes: true,
    hasDates: false,
  },
  customers: {
    title: common(($) => $.kinds.customers.title),
    hint: t(($) => $.hint.customers),
    right: { area: "customers", scope: "write" },
    parent: { title: common(($) => $.kinds.customers.title), href: "/customers" },
    records: { title: t(($) => $.records.customers), href: `/customers?${newest}` },
    hasModes: true,
    hasDates: false,
  },
  "stock-counts": {
    title: t(($) => $.kind["stock-counts"]),
    hint: t(($) => $.hint["stock-counts"]),
    right: { area: "stock", scope: "write" },
    parent: { title: t(($) => $.stockCount), href: "/stock/count" },
    records: { title: t(($) => $.records["stock-counts"]), href: `/stock/ledger?${newest}` },
    hasModes: false,
    hasDates: false,
  },
  "opening-invoices": {
    title: t(($) => $.kind["opening-invoices"]),
    hint: t(($) => $.hint["opening-invoices"]),
    right: { area: "invoices", scope: "write" },
    parent: { title: common(($) => $.kinds.invoices.title), href: "/invoices" },
    records: {
      title: t(($) => $.records["opening-invoices"]),
      href: `/invoices?isOpening=true&${newest}`,
    },
    hasModes: false,
    hasDates: true,
  },
}

export const kindNames: readonly ImportKind[] = ["items", "customers", "stock-counts", "opening-invoices"]

/** The kind in a URL, which may be any text. */
export const readKind = (text: string | null): ImportKind =>
  kindNames.find((each) => each === text) ?? "items"

/** The field whose values Kontor assigns to new records, so that a column of it only finds records; null without one. */
export const assignedField = (kind: ImportKind): string | null =>
  kind === "customers" ? "customerNumber" : null

/** True if rows to create may be records that exist: the keys of other kinds tell that. */
export const mayHaveDuplicates = ({ kind, mode }: { kind: ImportKind; mode: ImportMode }): boolean =>
  kind === "customers" && mode === "create"

/** The fields that a column can be, the required ones first. */
export const fieldsOf = (kind: ImportKind): readonly string[] => [
  ...importFields[kind].required,
  ...importFields[kind].optional,
]

/** The fields of which one is enough instead of a required field. */
export const standInsOf = (kind: ImportKind, field: string): readonly string[] =>
  kind === "customers" && field === "name" ? importStandIns.customers.name : []

/** The fields that must have a column: each of `all`, and one of `oneOf` if it is not empty. */
export function neededFields(kind: ImportKind, mode: ImportMode) {
  const { required } = importFields[kind]
  const isFound = mode !== "create" || !importKinds[kind].hasModes
  return {
    all: mode === "update" && importKinds[kind].hasModes ? [] : [...required],
    oneOf: isFound ? [...importKeys[kind]] : [],
  } satisfies Record<string, string[]>
}

/** Fields whose names in other tables are too short or too technical here. */
const names: Record<string, string> = {
  counted: t(($) => $.counted),
  firstName: t(($) => $.firstName),
  lastName: t(($) => $.lastName),
  customer: t(($) => $.customerId),
  customerExternalId: t(($) => $.customerExternalId),
  balance: t(($) => $.openAmount),
}

/** The name of a field. A part of an object has the names of both: Address: City. */
export function nameOfField(field: string): string {
  const [whole = "", part] = field.split(".")
  if (part !== undefined) return `${fieldName(whole)}: ${fieldName(part)}`
  return names[field] ?? fieldName(field)
}
