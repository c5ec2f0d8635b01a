import { assertNoErrors, type FieldError } from "../../core/lib/refusal"
import type { Resource } from "../../core/kind/define"
import type { MoneyContext } from "../../core/kind/field"
import { readFields, readListParams } from "../../core/store/list"
import type { Selection } from "../../core/store/plan"
import { badQuery, parseQuery, type Params } from "../../core/kind/query"
import { titleOf } from "../../shared/field-names/names"
import { columnsOf, type Column, type TitledColumn } from "../sheets/columns"
import { decimalSigns } from "../sheets/model"
import { exportFormats, titleForms, type ExportFormat, type TitleForm, type Written } from "./model"

/** The delimiters by their names in a query. */
const delimiters = { ",": ",", ";": ";", tab: "\t" } as const
export const delimiterNames = Object.keys(delimiters) as (keyof typeof delimiters)[]

/** The parameters of a file. The others are those of the list. */
const own = ["format", "delimiter", "decimal", "bom", "titles", "fields"]
/** The parameters of a list that name a page, or what a response contains besides the records. */
const ofPages = ["page", "perPage", "cursor", "sum", "expand"]

/** The kinds that can be imported. By default, their files have the columns that an import can set. */
const importable = ["items", "customers"]

export type ExportQuery = { selection: Selection; written: Written; isDeprecated: boolean }

/** Parses the query of an export: which records of the list, in which order, and how the file is written. */
export function readExport(kind: Resource, query: string, moneyContext: MoneyContext): ExportQuery {
  const params = parseQuery(query)
  for (const name of ofPages)
    if (params.has(name)) throw badQuery(name, "UNKNOWN_FIELD", "is not a parameter of an export")
  const written = readWritten(kind, params, moneyContext)
  const ofList = new Map([...params].filter(([name]) => !own.includes(name)))
  // By default the oldest record is first, so that an import of the file creates the records in the same order.
  if (!ofList.has("order")) ofList.set("order", "asc")
  const { filters, match, sort, order, isDeprecated } = readListParams(kind, ofList, moneyContext)
  return { selection: { where: filters, match, sort, order }, written, isDeprecated }
}

function readWritten(kind: Resource, params: Params, { digits }: MoneyContext): Written {
  const errors: FieldError[] = []
  const format = readWord(params, "format", exportFormats)
  const delimiter = delimiters[readWord(params, "delimiter", delimiterNames)]
  const decimal = readWord(params, "decimal", decimalSigns)
  const bom = readWord(params, "bom", ["false", "true"]) === "true"
  const titles = readWord(params, "titles", titleForms)
  const chosen = readChosen(kind, params, format, errors)
  assertNoErrors(errors, "The query has invalid values.")
  if (format === "ndjson") return { format, fields: chosen.fields }
  const columns = titled(kind, chosen.columns, titles)
  return format === "xlsx"
    ? { format, columns, digits }
    : { format, columns, style: { delimiter, decimal, bom } }
}

/** Adds the titles of columns. A title that another column has already is the name of the field, so that each is unique. */
function titled(kind: Resource, columns: readonly Column[], form: TitleForm): TitledColumn[] {
  const used = new Set<string>()
  return columns.map((column) => {
    const title = form === "names" ? column.field : titleOf(kind.name, column.field, form)
    const isRepeated = used.has(title)
    used.add(title)
    return { ...column, title: isRepeated ? column.field : title }
  })
}

/** Reads one of some words. The first one is the default. */
function readWord<const W extends string>(params: Params, name: string, words: readonly W[]): W {
  const given = params.get(name) ?? words[0]
  const found = words.find((word) => word === given)
  if (found !== undefined) return found
  throw badQuery(name, "FORMAT", `must be one of ${words.map((word) => JSON.stringify(word)).join(", ")}`, {
    allowed: words,
  })
}

type Chosen = { columns: Column[]; fields: string[] | undefined }

/** Reads `fields`: names of fields, `*` for all, and in a table also parts of objects such as `address.city`. */
function readChosen(kind: Resource, params: Params, format: ExportFormat, errors: FieldError[]): Chosen {
  const given = params.get("fields")
  if (given === undefined) return { columns: defaultColumns(kind), fields: undefined }
  if (given === "*") return { columns: columnsOf(kind), fields: undefined }
  if (format === "ndjson") return { columns: [], fields: readFields(kind, params, errors) }
  const names = given.split(",").map((name) => name.trim())
  if (names.includes("")) return { columns: [], fields: readFields(kind, params, errors) }
  return { columns: [...new Set(names.flatMap((name) => columnsNamed(kind, name)))], fields: undefined }
}

function columnsNamed(kind: Resource, name: string): Column[] {
  const found = columnsOf(kind).filter(({ field }) => field === name || field.startsWith(`${name}.`))
  if (found.length > 0) return found
  throw badQuery("fields", "UNKNOWN_FIELD", `contains ${JSON.stringify(name)}, which is not a field`, {
    value: name,
  })
}

function defaultColumns(kind: Resource): Column[] {
  const columns = columnsOf(kind)
  return importable.includes(kind.name)
    ? columns.filter(({ field, isSettable }) => isSettable || field === kind.found?.code)
    : columns.filter(({ type }) => type !== "list" && type !== "json")
}
