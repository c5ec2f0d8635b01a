import { callerOf } from "../../http/call"
import { ok } from "../../http/envelope"
import { get, type Route } from "../../http/route"
import { readParams } from "../../resource/query"
import { mayRole } from "../../shared/rights"
import { Summary } from "./model"
import type { ReportService } from "./service"

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
      answer: { status: 200, description: "The figures.", schema: Summary },
    },
    async ({ call }) => {
      readParams(call.query)
      const { role } = callerOf(call)
      return ok(await reports.summary((area) => mayRole(role, { area, scope: "read" })))
    },
  ),
]
