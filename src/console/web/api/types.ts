// The server's own types. The bundle contains none of the server's code.
import type { PlanName } from "../../../shared/plans"
import type { Area, Role, Scope } from "../../../shared/rights"
import type { ApiKey as ServedApiKey } from "../../../modules/api-keys/model"
import type { AuditRow } from "../../../modules/audit/model"
import type { Customer as ServedCustomer } from "../../../modules/customers/model"
import type { Invoice as ServedInvoice, InvoiceLine, Payment } from "../../../modules/invoices/model"
import type { Item as ServedItem } from "../../../modules/items/model"
import type { OAuthClient as ServedOAuthClient } from "../../../modules/oauth/model"
import type { Summary } from "../../../modules/reports/model"
import type { OrderLine, SalesOrder } from "../../../modules/sales-orders/model"
import type { Hit } from "../../../modules/search/model"
import type { Settings as ServedSettings } from "../../../modules/settings/model"
import type { StockMovement } from "../../../modules/stock-movements/model"
import type { User as ServedUser } from "../../../modules/users/model"

export type { Area, Hit, InvoiceLine, OrderLine, Payment, Role, SalesOrder, Scope, StockMovement, Summary }
export type Item = ServedItem
export type Customer = ServedCustomer
export type Invoice = ServedInvoice
export type ApiKey = ServedApiKey
export type OAuthClient = ServedOAuthClient
export type AuditEntry = AuditRow
export type Settings = ServedSettings
export type User = ServedUser

/** Every kind of record, by its name in the URL. All have lists, except the settings: there is only one record. */
export type Kinds = {
  items: Item
  customers: Customer
  "sales-orders": SalesOrder
  invoices: Invoice
  "stock-movements": StockMovement
  "api-keys": ApiKey
  "oauth-clients": OAuthClient
  users: User
  "audit-logs": AuditEntry
  settings: Settings
}
export type Kind = keyof Kinds

export type Limit = { limit: number | null; remaining: number | null; resetAt: number }

/** Who is signed in, and what they may do. */
export type Me = {
  id: string
  email: string
  name: string
  role: Role
  scopes: Scope[]
  rights: Record<Area, Scope[]>
  plan: PlanName
  limits: { minute: Limit; day: Limit }
  company: { name: string | null; currency: string; currencyDigits: number; timeZone: string; today: string }
}

export type Warning = { code: string; field: string; message: string }
export type Meta = {
  page?: number
  perPage: number
  total?: number
  totalPages?: number
  hasMore: boolean
  nextCursor: string | null
}
export type ApiAnswer<T> = { data: T; meta?: Meta; warnings: Warning[] }
