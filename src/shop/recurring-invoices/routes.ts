import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import type { Route } from "../../core/http/route/route"
import { statusRoute } from "../../trade/documents/status"
import { recurringInvoices } from "./model"
import { type RecurringInvoiceService, transitions } from "./service"

/** Templates of invoices: the common routes, and the change of their status. */
export const recurringInvoiceRoutes = (
  { recurringInvoices: service }: { recurringInvoices: RecurringInvoiceService },
  deps: BusinessDeps,
): Route[] => [
  ...businessRoutes(recurringInvoices, service, deps),
  statusRoute(recurringInvoices, service, {
    transitions,
    summary: "Pause, continue or end a recurring invoice",
    about:
      "Periods that begin while it is paused are not made up for, unless Kontor has paused it because it could not even make a draft: then the period that failed is made first, and those that have begun since. One that has ended stays so.",
    example: "paused",
  }),
]
