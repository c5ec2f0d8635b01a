import { Type } from "@sinclair/typebox"
import { mayCaller } from "../../core/caller"
import { callerOf } from "../../core/http/request/call"
import { ok } from "../../core/http/answer/envelope"
import { get, type Parameter, type Route } from "../../core/http/route/route"
import { isDate } from "../../shared/dates"
import { badQuery, readParams } from "../../core/kind/query"
import { Summary } from "./model"
import type { ReportService } from "./service"

const at: Parameter = {
  name: "at",
  in: "query",
  description:
    "Returns only the receivables, as of this day. Documents, payments and credits count from their own date on; what was voided or cancelled later still counts.",
  schema: Type.String({ format: "date", examples: ["2026-03-31"] }),
}

function readDay(value: string | undefined): string | null {
  if (value === undefined) return null
  if (isDate(value)) return value
  throw badQuery("at", "FORMAT", "must be a valid date in the format YYYY-MM-DD", { format: "date" })
}

/** Figures over many records. They are about money, so they need the right to read invoices. */
export const reportRoutes = (reports: ReportService): Route[] => [
  get(
    "/reports/summary",
    {
      may: { area: "invoices", scope: "read" },
      id: "getSummary",
      tag: "reports",
      summary: "Get a summary of the shop",
      description:
        "Sales of the last twelve months, receivables by age, items with low stock, and the newest orders. A part that the caller's role may not read is null. Figures are computed in small slices, so a concurrent write may be included in some figures and not in others.",
      parameters: () => [at],
      answer: { status: 200, description: "The figures.", schema: Summary },
    },
    async ({ call }) => {
      const day = readDay(readParams(call.query, ["at"]).get("at"))
      if (day !== null) return ok(await reports.summaryAt(day))
      const caller = callerOf(call)
      return ok(await reports.summary((area) => mayCaller(caller, { area, scope: "read" })))
    },
  ),
]
