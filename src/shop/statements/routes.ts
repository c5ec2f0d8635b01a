import { Type } from "@sinclair/typebox"
import { Refusal } from "../../core/lib/refusal"
import { ok } from "../../core/http/answer/envelope"
import { runLongWork } from "../../core/http/answer/list-answer"
import { query } from "../../core/http/openapi/parameters"
import { callerOf, type Call } from "../../core/http/request/call"
import { get, type Parameter, type Route, type RouteCall } from "../../core/http/route/route"
import type { MoneyContext } from "../../core/kind/field"
import { badQuery, type Params, readParams } from "../../core/kind/query"
import type { TitledColumn } from "../../office/sheets/columns"
import type { CellType } from "../../office/sheets/model"
import { csvText } from "../../office/sheets/write/csv"
import { isDate } from "../../shared/dates"
import { type Language, languages } from "../../shared/languages"
import { customers } from "../customers/model"
import { invoices } from "../invoices/model"
import type { Logo } from "../../office/settings/service"
import { paperJob } from "../../trade/paper/files"
import type { PdfRenderer } from "../../trade/paper/pdf/renderer"
import { Statement } from "./model"
import { statementPaper } from "./paper"
import type { Period, StatementService } from "./service"

type Needs = Parameters<typeof statementPaper>[0] & {
  statements: StatementService
  renderer: PdfRenderer
  findLogo: (hash: string) => Logo | null
  moneyContext: () => MoneyContext
}

const formats = ["json", "csv", "pdf"] as const
type Format = (typeof formats)[number]

const choice = (name: string, description: string, values: readonly string[]): Parameter =>
  query(name, description, Type.Unsafe({ type: "string", enum: [...values] }))
const day = (name: string, description: string) => query(name, description, Type.String({ format: "date" }))

/** GET /customers/{id}/statement: what a customer owed, what changed it, and what the customer owes. */
export const statementRoutes = (the: Needs): Route[] => [
  get(
    `/${customers.name}/:id/statement`,
    {
      may: invoices.rights.read,
      alsoMay: customers.rights.read,
      id: "getCustomerStatement",
      tag: customers.name,
      summary: "Get the statement of one customer",
      description:
        "What the customer owed before a period, the invoices, credit notes, payments, refunds and write-offs in it, and what the customer owed at its end: `opening` and the amounts add up to `closing`. Amounts that the customer owes are positive. It says what is known today: what was voided is left out, and what was dated back counts from its date on. At the end of today, `closing` is the customer's `outstandingBalance` less `creditBalance`.",
      names: { id: "customer" },
      parameters: () => [
        day("from", "The first day. The default is the first day of the year of `to`."),
        day("to", "The last day. The default is today."),
        choice("format", "The form of the answer. The default is `json`.", formats),
        choice(
          "language",
          "The language of the PDF. The default is that of the customer, then that of the settings.",
          languages,
        ),
      ],
      answer: {
        status: 200,
        description: "The statement.",
        schema: Statement,
        otherTypes: ["text/csv", "application/pdf"],
        headers: ["Kontor-Warning"],
      },
      refuses: [404, 422],
    },
    (context) => answerStatement(the, context),
  ),
]

async function answerStatement(the: Needs, { call, params, set }: RouteCall): Promise<object> {
  const asked = readQuery(call, the.moneyContext().today)
  const { format, period, language } = asked
  const read = (signal: AbortSignal | null) => the.statements.of(params.id ?? "", period, signal)
  if (format === "json") return runLongWork(call, async (signal) => ok(await read(signal)))
  call.keepOpen()
  const statement = await read(call.signal())
  const name = `statement-${period.from}-${period.to}.${format}`
  set.headers["content-disposition"] = `inline; filename="${name}"`
  set.headers["content-type"] = format === "csv" ? "text/csv; charset=utf-8" : "application/pdf"
  if (format === "csv") return new Response(await csvOf(statement))
  const { today, digits } = the.moneyContext()
  const paper = statementPaper(the, { statement, language, today, digits })
  const pdf = await the.renderer.render(callerOf(call).userId, call.signal(), () =>
    paperJob(the, paper, null),
  )
  if (!pdf) throw new Refusal("SERVICE_UNAVAILABLE", "The PDF was not created. Try again.")
  if (pdf.hasMissingGlyphs) set.headers["kontor-warning"] = "GLYPHS_MISSING"
  return new Response(new Uint8Array(pdf.bytes))
}

type Asked = { period: Period; format: Format; language: Language | null }

function readQuery(call: Call, today: string): Asked {
  const given = readParams(call.query, ["from", "to", "format", "language"])
  const to = readDay(given, "to") ?? today
  const from = readDay(given, "from") ?? `${to.slice(0, 4)}-01-01`
  if (from > to) throw badQuery("from", "RULE", `must not be after ${to}`, { rule: "DATE_ORDER" })
  return {
    period: { from, to },
    format: readChoice(given, "format", formats) ?? "json",
    language: readChoice(given, "language", languages),
  }
}

function readDay(given: Params, name: string): string | null {
  const value = given.get(name)
  if (value === undefined) return null
  if (isDate(value)) return value
  throw badQuery(name, "FORMAT", "must be a valid date in the format YYYY-MM-DD", { format: "date" })
}

function readChoice<T extends string>(given: Params, name: string, values: readonly T[]): T | null {
  const value = given.get(name)
  if (value === undefined) return null
  const found = values.find((each) => each === value)
  if (found) return found
  throw badQuery(name, "FORMAT", `must be one of ${values.join(", ")}`, { allowed: values })
}

/** The opening balance, the movements and the closing balance, a row each. */
async function csvOf({ from, to, opening, movements, closing }: Statement): Promise<string> {
  const column = (field: string, type: CellType): TitledColumn => ({
    title: field,
    field,
    type,
    isSettable: false,
  })
  const columns = [
    column("date", "date"),
    column("kind", "text"),
    column("record", "text"),
    column("number", "text"),
    column("amount", "number"),
    column("balance", "number"),
  ]
  const none = { record: null, number: null, amount: null }
  const rows = [
    { ...none, date: from, kind: "opening", balance: opening },
    ...movements,
    { ...none, date: to, kind: "closing", balance: closing },
  ]
  const parts: string[] = []
  const batches = (async function* () {
    yield rows
  })()
  for await (const part of csvText(batches, columns, { delimiter: ",", decimal: ".", bom: false }))
    parts.push(part)
  return parts.join("")
}
