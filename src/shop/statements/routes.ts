import { Type } from "@sinclair/typebox"
import { Refusal } from "../../core/lib/refusal"
import { ok } from "../../core/http/answer/envelope"
import { runLongWork } from "../../core/http/answer/list-answer"
import { query } from "../../core/http/openapi/parameters"
import type { Caller } from "../../core/caller"
import { ref } from "../../core/http/openapi/kind-schemas"
import type { Writes } from "../../core/http/request/write"
import { etagOf } from "../../core/kind/tag"
import { messages } from "../../office/mail/model"
import type { DocumentMail, Letter } from "../../trade/mail/service"
import { callerOf, type Call } from "../../core/http/request/call"
import {
  checked,
  get,
  handled,
  type Parameter,
  type Route,
  type RouteCall,
} from "../../core/http/route/route"
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
import { Statement, type StatementBody, statementBody, statementMail } from "./model"
import { statementPaper } from "./paper"
import type { Period, StatementService } from "./service"

type Needs = Parameters<typeof statementPaper>[0] & {
  statements: StatementService
  renderer: PdfRenderer
  findLogo: (hash: string) => Logo | null
  moneyContext: () => MoneyContext
  writes: Writes
  mail: DocumentMail
}

const formats = ["json", "csv", "pdf"] as const
type Format = (typeof formats)[number]

const choice = (name: string, description: string, values: readonly string[]): Parameter =>
  query(name, description, Type.Unsafe({ type: "string", enum: [...values] }))
const day = (name: string, description: string, example: string) =>
  query(name, description, Type.String({ format: "date", examples: [example] }))

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
        day("from", "The first day. The default is the first day of the year of `to`.", "2026-01-01"),
        day("to", "The last day. The default is today.", "2026-03-31"),
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
  handled<StatementBody>(
    "POST",
    `/${customers.name}/:id/statement/send`,
    {
      may: invoices.rights.write,
      alsoMay: customers.rights.read,
      id: "sendCustomerStatement",
      tag: customers.name,
      summary: "Send the statement of one customer by mail",
      description:
        "Returns the message with the PDF, which is sent in the background. Without `to`, it goes to `invoiceEmail` of the customer, or else to `email`. The texts are those of `mailTexts.statements`, with the placeholders of mail: `{number}` is the number of the customer, and `{balance}` what is owed at the end of the period. API keys and apps send only to the addresses of the customer.",
      names: { id: "customer" },
      readsQuery: true,
      // Unknown parameters are refused before the body is read.
      guard: ({ call }) => void the.writes.isDryRun(call),
      takesIdempotencyKey: true,
      body: checked(statementBody),
      answer: {
        status: 202,
        description: "The message.",
        schema: ref(messages.title),
        headers: ["ETag", "Location"],
      },
      refuses: [404, 422],
    },
    async ({ call, request, set, params, body }) => {
      const wanted = { customer: params.id ?? "", body, caller: callerOf(call) }
      const [letter] = await Promise.allSettled([letterOf(the, wanted, call.signal())])
      return the.writes.runPost({ call, request, set }, body, (tx) => {
        // What is wrong with it is told only to those who may still know.
        if (letter.status === "rejected") throw letter.reason
        const message = the.mail.sendLetter(tx, letter.value, body)
        const headers = { location: `/api/v1/messages/${message.id}`, etag: etagOf(message) }
        return { status: 202, headers, data: message }
      })
    },
  ),
]

type Wanted = { customer: string; body: StatementBody; caller: Caller }

/** Returns the statement as a letter, when it has been computed. */
async function letterOf(
  the: Needs,
  { customer, body, caller }: Wanted,
  signal: AbortSignal | null,
): Promise<Letter> {
  const { today, digits } = the.moneyContext()
  const period = periodOf(body.period?.from ?? null, body.period?.to ?? null, today, "period.from")
  const statement = await the.statements.of(customer, period, signal)
  const paper = statementPaper(the, { statement, language: body.language, today, digits })
  const { customer: id, closing } = statement
  return {
    customer: id,
    texts: statementMail.name,
    paper,
    balance: closing,
    fileName: fileNameOf(period, "pdf"),
    caller,
  }
}

const fileNameOf = ({ from, to }: Period, format: Format): string => `statement-${from}-${to}.${format}`

async function answerStatement(the: Needs, { call, params, set }: RouteCall): Promise<object> {
  const asked = readQuery(call, the.moneyContext().today)
  const { format, period, language } = asked
  const read = (signal: AbortSignal | null) => the.statements.of(params.id ?? "", period, signal)
  if (format === "json") return runLongWork(call, async (signal) => ok(await read(signal)))
  call.keepOpen()
  const statement = await read(call.signal())
  set.headers["content-disposition"] = `inline; filename="${fileNameOf(period, format)}"`
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
  return {
    period: periodOf(readDay(given, "from"), readDay(given, "to"), today, "from"),
    format: readChoice(given, "format", formats) ?? "json",
    language: readChoice(given, "language", languages),
  }
}

/** The period that is asked for; by default it ends today and begins with the year. */
function periodOf(first: string | null, last: string | null, today: string, field: string): Period {
  const to = last ?? today
  const from = first ?? `${to.slice(0, 4)}-01-01`
  if (from > to) throw badQuery(field, "RULE", `must not be after ${to}`, { rule: "DATE_ORDER" })
  return { from, to }
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
