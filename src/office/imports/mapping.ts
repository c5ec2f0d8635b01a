import { titleOf } from "../../shared/field-names/names"
import { languages } from "../../shared/languages"
import type { PlannedColumn, SheetColumn } from "../sheets/model"
import { type PriceSense, titleForm } from "../sheets/title-form"
import { fileRefused } from "./faults"
import type { ImportField, ImportKind, Labels } from "./kind"
import type { ImportInput, ImportMode, MappedColumn } from "./model"

/**
 * Which column is which field, and what the response says about it. `prices` are the fields whose prices are converted, with
 * the sense of the file.
 */
export type Mapping = {
  plan: PlannedColumn[]
  columns: MappedColumn[]
  prices: Record<string, PriceSense>
}

/**
 * Maps columns to fields: as the caller has named them, or else by their titles and their content. The keys of NDJSON are
 * those of programs, so that their content says nothing more.
 */
export function mappingOf(
  kind: ImportKind,
  { mapping, mode, prices = {} }: Pick<ImportInput, "mapping" | "mode" | "prices">,
  columns: readonly SheetColumn[],
  usesContent = true,
): Mapping {
  assertTitles(columns, mapping)
  const taken = new Map<number, ImportField>()
  let free = kind.fields.filter(({ name }) => !Object.hasOwn(mapping, name))
  for (const field of kind.fields) {
    const title = Object.hasOwn(mapping, field.name) ? mapping[field.name] : null
    if (title != null) taken.set(indexOf(columns, title), field)
  }
  const findIn = (matches: (field: ImportField, column: SheetColumn) => boolean) =>
    columns.forEach((column, index) => {
      if (taken.has(index)) return
      const field = free.find((each) => matches(each, column))
      if (!field) return
      taken.set(index, field)
      free = free.filter((each) => each !== field)
    })
  /** Of a net and a gross price, the one that need not be converted comes first. */
  const find = (matches: (field: ImportField, column: SheetColumn) => boolean) => {
    findIn((field, column) => !isOtherSense(kind, field, column) && matches(field, column))
    findIn(matches)
  }
  for (const { field, titles, beside } of kind.titlesBeside ?? []) {
    const isBeside = columns.some(({ form }) => labelsOf(kind, beside).has(form))
    const forms = new Set(titles.map(titleForm))
    if (isBeside) find(({ name }, { form }) => name === field && forms.has(form))
  }
  find((field, { form }) => namesOf(field.name).has(form))
  find((field, { form }) => titlesOf(kind, field).has(form))
  find((field, { form }) => labelsOf(kind, field.name).has(form))
  find((field, { bare }) => field.unit === "money" && bare !== "" && isNamed(kind, field, bare))
  if (usesContent) find(hasContentOf)
  const senses = columns.map((column, index) => senseIn(kind, taken.get(index), column, prices))
  return {
    prices: Object.fromEntries(
      senses.flatMap((found, index) => {
        const field = taken.get(index)
        return found?.isConverted && field ? [[field.name, found.prices] as const] : []
      }),
    ),
    plan: [...taken].map(([index, { name, type }]) => ({ index, field: name, type })),
    columns: columns.map(({ name, samples }, index) => ({
      column: name,
      field: taken.get(index)?.name ?? null,
      samples,
      ...noteOf(taken.get(index), mode),
      ...senses[index],
    })),
  }
}

/** True for a column of prices that are not in the sense in which the field is stored. */
function isOtherSense({ storedSense }: ImportKind, { name }: ImportField, column: SheetColumn): boolean {
  const stored = column.sense === null ? null : (storedSense?.(name) ?? null)
  return stored !== null && column.sense !== stored
}

/** Whether the prices of a column include tax, as the caller or the title says, and whether they are converted. */
function senseIn(
  { storedSense }: ImportKind,
  field: ImportField | undefined,
  { sense }: SheetColumn,
  given: ImportInput["prices"] = {},
): { prices: PriceSense; isConverted: boolean } | null {
  const stored = (field && storedSense?.(field.name)) ?? null
  if (stored === null || !field) return null
  const prices = given[field.name] ?? sense ?? stored
  return { prices, isConverted: prices !== stored }
}

/** The forms of all titles by which columns are recognized. */
export const knownForms = (kind: ImportKind): string[] => [
  ...new Set(
    kind.fields.flatMap((field) => [
      ...namesOf(field.name),
      ...titlesOf(kind, field),
      ...labelsOf(kind, field.name),
    ]),
  ),
]

const isNamed = (kind: ImportKind, field: ImportField, form: string): boolean =>
  namesOf(field.name).has(form) || titlesOf(kind, field).has(form) || labelsOf(kind, field.name).has(form)

/** A number that the server assigns finds records. An import that only creates them has no use for it. */
const noteOf = (field: ImportField | undefined, mode: ImportMode): Pick<MappedColumn, "note"> =>
  field?.isAssigned && mode === "create" ? { note: "NUMBER_ASSIGNED" } : {}

function indexOf(columns: readonly SheetColumn[], title: string): number {
  const exact = columns.findIndex(({ name }) => name === title)
  if (exact >= 0) return exact
  const wanted = titleForm(title)
  return columns.findIndex(({ form }) => form === wanted)
}

/** Refuses a mapping that names columns which the file does not have. */
function assertTitles(columns: readonly SheetColumn[], mapping: ImportInput["mapping"]): void {
  const titles = Object.values(mapping).filter((title) => title !== null)
  const missing = titles.filter((title) => indexOf(columns, title) < 0).map((title) => JSON.stringify(title))
  if (missing.length === 0) return
  throw fileRefused(
    "COLUMN_MISSING",
    `The file has no ${missing.length === 1 ? "column" : "columns"} ${listed(missing)}. Its columns are ${listed(columns.map(({ name }) => name))}.`,
  )
}

/** The forms of the titles that an export of the kind has for the field, in any language. */
const titlesOf = ({ exported }: ImportKind, { name }: ImportField): Set<string> =>
  exported === undefined
    ? new Set()
    : formsOf(`title ${exported.name} ${name}`, () =>
        languages.map((language) => titleOf(exported, name, language)),
      )

const namesOf = (field: string): Set<string> => formsOf(`name ${field}`, () => [field])
const labelsOf = ({ name, labels }: ImportKind, field: string): Set<string> =>
  formsOf(`label ${name} ${field}`, () => labels[field] ?? commonLabels[field] ?? [])

/** The labels of fields that many kinds have. */
const commonLabels: Labels = {
  isActive: ["Active", "Aktiv", "Actif", "Activo", "Attivo", "Actief"],
  externalId: [
    "External id or barcode",
    "Externe ID oder Barcode",
    "External ID",
    "Externe ID",
    "Fremdschlüssel",
  ],
  metadata: ["Metadata", "Metadaten"],
  notes: [
    "Notes",
    "Note",
    "Comment",
    "Notizen",
    "Bemerkung",
    "Bemerkungen",
    "Anmerkung",
    "Remarques",
    "Notas",
    "Note interne",
    "Opmerkingen",
  ],
}

const forms = new Map<string, Set<string>>()

function formsOf(key: string, titles: () => readonly string[]): Set<string> {
  const known = forms.get(key) ?? new Set(titles().map(titleForm))
  forms.set(key, known)
  return known
}

/** What the values of a field look like, for a column whose title tells nothing. */
const contents: Record<string, RegExp> = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  taxId: /^[A-Z]{2}[0-9A-Z]{8,12}$/,
  images: /^https?:\/\//,
}

const hasContentOf = ({ name }: ImportField, { samples }: SheetColumn): boolean => {
  const content = contents[name]
  return content !== undefined && samples.length > 0 && samples.every((sample) => content.test(sample))
}

/** Refuses a file without the columns that are needed, and names all of them. */
export function assertMapped(kind: ImportKind, mode: ImportMode, { plan, columns }: Mapping): void {
  const has = (name: string) => plan.some(({ field }) => field === name)
  const standsIn = (name: string) => kind.standIns?.[name]?.some(has) === true
  const missing = kind.fields.filter(
    ({ name, isRequired }) => isRequired && !has(name) && !standsIn(name) && mode !== "update",
  )
  const keys = kind.foundBy
  const needsKey = kind.isKeyRequired === true || mode !== "create"
  const names = missing.map(({ name }) => name)
  const isKeyMissing = needsKey && !keys.some(has) && !keys.some((key) => names.includes(key))
  if (isKeyMissing) names.push(keys.join(" or "))
  if (names.length === 0) return
  const example = names.map((name) => `${name.split(" ")[0]}:COLUMN`).join(",")
  throw fileRefused(
    "COLUMN_MISSING",
    `No column was found for ${listed(names)}. Name ${names.length === 1 ? "it" : "them"} with mapping=${example}. The columns are ${listed(columns.map(({ column }) => column))}.`,
    { fields: listed(names) },
  )
}

const mostListed = 20

const listed = (names: readonly string[]): string =>
  names.length > mostListed
    ? `${names.slice(0, mostListed).join(", ")} and ${names.length - mostListed} more`
    : names.join(", ")
