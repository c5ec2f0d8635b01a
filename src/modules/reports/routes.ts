import { callerOf } from "../../http/call"
import { ok } from "../../http/envelope"
import { get, type Route } from "../../http/route"
import { readParams } from "../../resource/query"
import { mayRole } from "../../shared/rights"
import { Summary } from "./model"
import type { ReportService } from "./service"

/** Figures over many records. They are about money, so callers who may read invoices may ask for them. */
export const reportRoutes = (reports: ReportService): Route[] => [
  get(
    "/reports/summary",
    {
      may: { area: "invoices", scope: "read" },
      id: "getSummary",
      tag: "reports",
      summary: "The shop at a glance",
      description:
        "Sales of the last twelve months, what customers owe and for how long, what is to be ordered again, and the newest orders. A part that the caller's role may not read is null. Figures are added up in small steps: what is written at that very moment may be in some of them and not yet in others.",
      answer: { status: 200, description: "The figures.", schema: Summary },
    },
    async ({ call }) => {
      readParams(call.query)
      const { role } = callerOf(call)
      return ok(await reports.summary((area) => mayRole(role, { area, scope: "read" })))
    },
  ),
]
