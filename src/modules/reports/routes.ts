import type { App } from "../../http/app"
import { callerOf } from "../../http/call"
import { ok } from "../../http/envelope"
import { enveloped, operation } from "../../http/operation"
import { mayRole } from "../../shared/rights"
import { readParams } from "../../resource/query"
import { summarySchema } from "./model"
import { ages } from "./rules"
import type { ReportService } from "./service"

/** Figures over many records. They are about money, so whoever may read invoices may ask for them. */
export const reportRoutes = (reports: ReportService) => (app: App) =>
  app.get(
    "/api/v1/reports/summary",
    async ({ call }) => {
      readParams(call.query)
      const { role } = callerOf(call)
      return ok(await reports.summary((area) => mayRole(role, { area, scope: "read" })))
    },
    { may: { area: "invoices", scope: "read" }, detail: summaryOperation },
  )

const summaryOperation = operation(() => ({
  id: "getSummary",
  summary: "The shop at a glance",
  description:
    "Sales of the last twelve months, what customers owe and for how long, what is to be ordered again, and the newest orders. A part that the caller's role may not read is null. Figures are added up in small steps: what is written at that very moment may be in some of them and not yet in others.",
  tag: "reports",
  answers: { status: 200, description: "The figures.", schema: enveloped(summarySchema(ages)) },
}))
