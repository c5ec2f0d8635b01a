import { IconPlus, type Icon } from "../parts/icons"
import type { Right } from "../../shared/rights"
import { t } from "../texts"

type Action = { path: string; title: string; icon: Icon; right: Right }

const writing = (area: Right["area"]): Right => ({ area, scope: "write" })

/** The actions that the search (Ctrl+K) offers: the pages of new records. */
export const newActions: Action[] = [
  { path: "/orders/new", title: t(($) => $.orders.new), icon: IconPlus, right: writing("sales-orders") },
  { path: "/invoices/new", title: t(($) => $.invoices.new), icon: IconPlus, right: writing("invoices") },
  { path: "/payments/new", title: t(($) => $.payments.record), icon: IconPlus, right: writing("invoices") },
  { path: "/customers/new", title: t(($) => $.customers.new), icon: IconPlus, right: writing("customers") },
  { path: "/items/new", title: t(($) => $.items.new), icon: IconPlus, right: writing("items") },
]
