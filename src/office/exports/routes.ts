import { Type } from "@sinclair/typebox"
import { callerOf, type Connection } from "../../core/http/request/call"
import { type Money, pluralOf } from "../../core/http/route/kind-routes"
import { proseDeprecated } from "../../core/http/answer/list-answer"
import { get, handled, type Parameter, type Route, type RouteCall } from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import { business } from "../../core/lib/clock"
import { assertNoErrors, type FieldError, Refusal } from "../../core/lib/refusal"
import type { Resource } from "../../core/kind/define"
import type { SearchFeed } from "../../core/search/search-feed"
import type { Exporter } from "./exporter"
import {
  contentTypeOf,
  type Exportable,
  type ExportFormat,
  exportFormats,
  type ExportJob,
  mediaTypes,
  type TitleForm,
  titleForms,
  type Written,
} from "./model"
import {
  orderWords,
  plainFilters,
  query,
  searchParameter,
  sortParameter,
} from "../../core/http/openapi/parameters"
import { decimalSigns } from "../sheets/model"
import type { MoneyContext } from "../../core/kind/field"
import { firstGiven, pageParameters, readFields, readListParams } from "../../core/store/list"
import type { Selection } from "../../core/store/plan"
import { badQuery, type Params, parseQuery } from "../../core/kind/query"
import { titleOf } from "../../shared/field-names/names"
import { type Column, columnsOf, type LineColumns, lineColumnsOf, type TitledColumn } from "../sheets/columns"

/** The delimiters by their names in a query. */
const delimiters = { ",": ",", ";": ";", tab: "\t" } as const
const delimiterNames = Object.keys(delimiters) as (keyof typeof delimiters)[]

/** The parameters of a file. The others are those of the list. */
const own = ["format", "delimiter", "decimal", "bom", "titles", "fields"]
/** What becomes of the lines of documents. */
const lineForms = ["none", "rows"] as const

/** A kind, and whether its records can be imported. */
type Exported = { kind: Resource; isImported: boolean }

type ExportQuery = { selection: Selection; written: Written; isDeprecated: boolean }

/** Parses the query of an export: which records of the list, in which order, and how the file is written. */
function readExport({ kind, isImported }: Exported, query: string, moneyContext: MoneyContext): ExportQuery {
  const params = parseQuery(query)
  const ofPage = firstGiven(kind, params, pageParameters)
  if (ofPage !== undefined) throw badQuery(ofPage, "UNKNOWN_FIELD", "is not a parameter of an export")
  const written = readWritten({ kind, isImported }, params, moneyContext)
  const ofFile = lineColumnsOf(kind) ? [...own, "lines"] : own
  const ofList = new Map([...params].filter(([name]) => !ofFile.includes(name)))
  // By default the oldest record is first, so that an import of the file creates the records in the same order.
  if (!ofList.has("order")) ofList.set("order", "asc")
  const { filters, match, sort, isDeprecated } = readListParams(kind, ofList, moneyContext)
  return { selection: { where: filters, match, sort }, written, isDeprecated }
}

function readWritten(exported: Exported, params: Params, { digits }: MoneyContext): Written {
  const { kind } = exported
  const errors: FieldError[] = []
  const format = readWord(params, "format", exportFormats)
  const delimiter = delimiters[readWord(params, "delimiter", delimiterNames)]
  const decimal = readWord(params, "decimal", decimalSigns)
  const bom = readWord(params, "bom", ["false", "true"]) === "true"
  const titles = readWord(params, "titles", titleForms)
  const lines = readLines(kind, params, format)
  const chosen = readChosen(exported, params, { format, lines }, errors)
  assertNoErrors(errors, "The query has invalid values.")
  if (format === "ndjson") return { format, fields: chosen.fields }
  const columns = titled(kind, chosen.columns, titles)
  const table = { columns, lines: lines?.field ?? null }
  return format === "xlsx"
    ? { ...table, format, digits }
    : { ...table, format, style: { delimiter, decimal, bom } }
}

/** Returns the columns of lines, if each line of a document is a row. */
function readLines(kind: Resource, params: Params, format: ExportFormat): LineColumns | null {
  const lines = lineColumnsOf(kind)
  if (!lines || readWord(params, "lines", lineForms) === "none") return null
  if (format === "ndjson")
    throw badQuery("lines", "RULE", "is for tables: NDJSON has the lines in their documents", {
      rule: "EXCLUSIVE",
      other: "format",
    })
  return lines
}

/** Adds the titles of columns. A title that another column has already is the name of the field, so that each is unique. */
function titled(kind: Resource, columns: readonly Column[], form: TitleForm): TitledColumn[] {
  const used = new Set<string>()
  return columns.map((column) => {
    const title = form === "names" ? column.field : titleOf(kind, column.field, form)
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

type Rows = { format: ExportFormat; lines: LineColumns | null }

/** Reads `fields`: names of fields, `*` for all, and in a table also parts of objects such as `address.city`. */
function readChosen(
  exported: Exported,
  params: Params,
  { format, lines }: Rows,
  errors: FieldError[],
): Chosen {
  const { kind } = exported
  const given = params.get("fields")
  const ofLines = lines?.columns ?? []
  if (given === undefined) return { columns: [...defaultColumns(exported), ...ofLines], fields: undefined }
  // The columns of the lines replace that of their list.
  const all = [...columnsOf(kind).filter(({ field }) => field !== lines?.field), ...ofLines]
  if (given === "*") return { columns: all, fields: undefined }
  if (format === "ndjson") return { columns: [], fields: readFields(kind, params, errors) }
  const names = given.split(",").map((name) => name.trim())
  if (names.includes("")) return { columns: [], fields: readFields(kind, params, errors) }
  return { columns: [...new Set(names.flatMap((name) => columnsNamed(all, name)))], fields: undefined }
}

function columnsNamed(columns: readonly Column[], name: string): Column[] {
  const found = columns.filter(({ field }) => field === name || field.startsWith(`${name}.`))
  if (found.length > 0) return found
  throw badQuery("fields", "UNKNOWN_FIELD", `contains ${JSON.stringify(name)}, which is not a field`, {
    value: name,
  })
}

/** By default, the file of a kind that can be imported has the columns that an import can set. */
function defaultColumns({ kind, isImported }: Exported): Column[] {
  const columns = columnsOf(kind)
  return isImported
    ? columns.filter(({ field, isSettable }) => isSettable || field === kind.found?.code)
    : columns.filter(({ type }) => type !== "list" && type !== "json")
}

type Deps = {
  exporter: Exporter
  money: Money
  keepOpen: Connection["keepOpen"]
  feed: SearchFeed
  writes: Writes
}

/** GET /{kind}/export: all records of a list as a file. */
export const exportRoute = ({ kind, isImported }: Exported, records: Exportable, deps: Deps): Route =>
  get(
    `/${kind.name}/export`,
    {
      may: kind.rights.read,
      id: `export${pluralOf(kind.title)}`,
      tag: kind.name,
      summary: `Export ${pluralOf(kind.noun)} as a file`,
      description:
        "All records that the list has with these filters, also with operators, at one moment, streamed. The titles of a table are names of fields, unless `titles` sets a language, and `address.city` is a part of an object. Text that a spreadsheet would take for a formula has `'` in front. NDJSON has the records as the list returns them. The connection of a file that is not complete is reset.",
      parameters: () => exportParameters(kind),
      answer: {
        status: 200,
        description: "The file.",
        type: mediaTypes.csv,
        otherTypes: [mediaTypes.xlsx, mediaTypes.ndjson],
        schema: Type.String({ format: "binary" }),
      },
      refuses: [422],
    },
    (context) => exportList(context, { kind, isImported }, records, deps),
  )

async function exportList(
  context: RouteCall,
  { kind, isImported }: Exported,
  { within }: Exportable,
  deps: Deps,
) {
  const { call, set } = context
  const moneyContext = deps.money()
  const { selection, written, isDeprecated } = readExport({ kind, isImported }, call.query, moneyContext)
  if (isDeprecated) set.headers["deprecation"] = proseDeprecated
  const own = within?.(callerOf(call)) ?? []
  const where = [...own, ...selection.where]
  const job = { type: "list", kind: kind.name, selection: { ...selection, where }, written } as const
  if (selection.match !== undefined) await deps.feed.settle()
  const name = `${kind.name}-${moneyContext.today}.${written.format}`
  // With another role, the caller may read other records of the list.
  const assertSame = () => {
    if (!Bun.deepEquals(within?.(callerOf(call)) ?? [], own))
      throw new Refusal("FORBIDDEN", "The rights of the caller have changed.")
  }
  return streamed(context, deps, { job, name, type: contentTypeOf(written.format), assertSame })
}

type File = { job: ExportJob; name: string; type: string; assertSame?: () => void }

async function streamed(
  { call, request, set }: RouteCall,
  { exporter, keepOpen, writes }: Pick<Deps, "exporter" | "keepOpen" | "writes">,
  { job, name, type, assertSame = () => {} }: File,
) {
  Object.assign(set.headers, {
    "content-type": type,
    "content-disposition": `attachment; filename="${name}"`,
  })
  if (request.method === "HEAD") return new Response()
  keepOpen(request, 0)
  const assertStillMay = () => {
    writes.assertStillMay(call)
    assertSame()
  }
  // Without a timeout, a client that does not read the end would keep its connection for ever.
  const client = { signal: call.signal(), assertStillMay, onLast: call.keepOpen }
  return new Response(await exporter.start(callerOf(call).userId, client, job))
}

type ArchiveDeps = Pick<Deps, "exporter" | "keepOpen" | "writes"> & {
  version: string
  /** When each API key was used last. */
  uses: { flush(): Promise<void> }
}

/** GET /export.zip: everything, for an admin who signed in. */
export const archiveRoute = (deps: ArchiveDeps): Route =>
  handled(
    "GET",
    "/export.zip",
    {
      may: { area: "administration", scope: "admin", personal: true },
      id: "exportEverything",
      tag: "backups",
      summary: "Export all data",
      description:
        "All records of all kinds at one moment as NDJSON, the stored PDFs and e-invoices, and `manifest.json`, which names each file with its number of records and its SHA-256. Secrets and sessions are not in it. For an admin who signed in.",
      answer: {
        status: 200,
        description: "The archive.",
        type: "application/zip",
        schema: Type.String({ format: "binary" }),
      },
    },
    async (context) => {
      const createdAt = business.now()
      if (context.request.method !== "HEAD") {
        await deps.writes.runWrite(context.call, (tx) => tx.audit("exports.create", null))
        await deps.uses.flush()
      }
      return streamed(context, deps, {
        job: { type: "archive", version: deps.version, createdAt },
        name: `kontor-${createdAt.slice(0, 10)}.zip`,
        type: "application/zip",
      })
    },
  )

const wordOf = (words: readonly string[]) =>
  Type.Unsafe({ type: "string", enum: [...words], default: words[0] })

/** The parameters that say how a file is written. */
const ofFile: Parameter[] = [
  query("format", "The format of the file.", wordOf(exportFormats)),
  query("delimiter", "What separates the cells of a CSV file.", wordOf(delimiterNames)),
  query("decimal", "The decimal sign of numbers in a CSV file.", wordOf(decimalSigns)),
  query(
    "bom",
    "With `true`, a CSV file begins with a byte order mark, by which Excel recognizes UTF-8.",
    Type.Boolean({ default: false }),
  ),
  query(
    "titles",
    "The titles of a table: the names of fields, or their titles in a language. An import recognizes both. The values are the same.",
    wordOf(titleForms),
  ),
  query(
    "fields",
    "The fields of the file, separated by commas; `*` for all. A table can also have parts of objects such as `address.city`. By default, a table of items or customers has the fields that an import can set, and a table of another kind has no lists.",
    Type.String({ examples: ["id,createdAt"] }),
  ),
]

const linesParameter = query(
  "lines",
  "With `rows`, a table has a row for each line of a document: the columns of the document, which repeat, and those of the line, such as `items.itemCode`. A document without lines has one row. Not for NDJSON.",
  wordOf(lineForms),
)

const order = query(
  "order",
  "The sort direction: one word, or one for each field of sort.",
  orderWords("asc"),
)

const known = new WeakMap<Resource, Parameter[]>()

/**
 * The query parameters of an export: those of a file, and the filters, search and order of the list. A filter is described
 * once, and not again with each operator: the list describes them.
 */
function exportParameters(kind: Resource): Parameter[] {
  const parameters = known.get(kind) ?? [
    ...ofFile,
    ...(lineColumnsOf(kind) ? [linesParameter] : []),
    order,
    searchParameter,
    sortParameter(kind),
    ...plainFilters(kind),
  ]
  known.set(kind, parameters)
  return parameters
}
