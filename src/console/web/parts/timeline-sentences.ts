import { describeDocument } from "../documents/describe"
import { shown } from "../forms/conflict-dialog"
import { date, money, number, price, words } from "../format"
import type { AuditEntry, Kind } from "../api/types"

/** The record whose timeline is told, and the currency of its amounts. */
export type Story = {
  kind: Kind
  record: {
    id: string
    createdAt: string
    /** The fields of documents. */
    issuedAt?: string | null
    orderNumber?: string | null
    invoiceNumber?: string | null
    customer?: string
    customerName?: string
    items?: readonly { item: string; itemCode: string }[]
  }
  currency: string
  /** True if an entry of its own tells that the invoice was issued. */
  isFinalizedLater: boolean
}

/** True for an entry that tells that an invoice was issued, or an order submitted. */
export const isFinalized = ({ action, changes }: AuditEntry): boolean =>
  action.endsWith(".status") && changes["status"]?.from === "draft" && changes["status"].to !== "cancelled"

/** Returns who did it. */
export function actorOf({ actorType, actorName }: AuditEntry): string {
  if (actorType === "system") return "Kontor"
  if (actorType === "apiKey") return actorName ? `API key ${actorName}` : "An API key"
  if (actorType === "oauthClient") return actorName ?? "A connected app"
  return actorName ?? "Somebody"
}

const nouns: Partial<Record<Kind, string>> = {
  items: "item",
  customers: "customer",
  "sales-orders": "order",
  invoices: "invoice",
}

/**
 * Returns what the actor of an entry did, each as the rest of a sentence after their name. An entry that only follows
 * from another one, such as the status after a payment, has none.
 */
export function sentencesOf(story: Story, entry: AuditEntry): string[] {
  const { changes } = entry
  const amount = (value: unknown) => money(Number(value), story.currency)
  switch (entry.action.split(".").at(-1)) {
    case "create":
      return [created(story)]
    case "update":
      return updated(story, entry)
    case "status":
      return statusChanged(story, changes)
    case "payment":
      return [`added a payment of ${amount(changes["amount"]?.to)}`]
    case "payment-removed":
      return [`deleted the payment of ${amount(changes["amount"]?.from)}`]
    default:
      return [words(entry.action.split(".").at(-1) ?? "").toLowerCase()]
  }
}

/** An invoice can be issued by the same request that creates it. */
function created({ kind, record, isFinalizedLater }: Story): string {
  const { createdAt, issuedAt, invoiceNumber, orderNumber } = record
  if (isFinalizedLater) return `created the ${nouns[kind] ?? "record"}`
  if (kind === "invoices" && issuedAt === createdAt)
    return orderNumber
      ? `issued the invoice as ${invoiceNumber} for order ${orderNumber}`
      : `issued the invoice as ${invoiceNumber}`
  return `created the ${nouns[kind] ?? "record"}`
}

type Changes = AuditEntry["changes"]

function statusChanged({ kind, record }: Story, changes: Changes): string[] {
  const { from, to } = changes["status"] ?? {}
  const noun = nouns[kind] ?? "record"
  const reason = changes["cancelReason"]?.to ?? changes["reason"]?.to
  const because = reason ? ` (reason: ${shown(reason)})` : ""
  const beyond = changes["creditOverride"] ? " above the credit limit" : ""
  if (to === "cancelled") return [`cancelled the ${noun}${because}`]
  if (kind === "invoices") {
    if (from === "draft") return [`issued the invoice as ${record.invoiceNumber}${beyond}`]
    // The entry of the payment tells the rest.
    return to === "paid" ? ["settled the invoice: it is paid in full"] : []
  }
  if (from === "completed" && to === "submitted") return ["reopened the order"]
  if (to === "submitted") return [`submitted the order${beyond}`]
  if (to === "completed") return [`completed the order${because}`]
  return [`changed the status to ${words(String(to)).toLowerCase()}`]
}

/** The number of changed fields that are told one by one. */
const mostFields = 6

function updated(story: Story, { changes }: AuditEntry): string[] {
  const told = Object.entries(changes).map(([field, change]) => fieldChanged(story, field, change))
  const rest = told.length - mostFields
  return rest > 0 ? [...told.slice(0, mostFields), `changed ${number(rest)} more fields`] : told
}

function fieldChanged(story: Story, field: string, { from, to }: Changes[string]): string {
  if (field === "isActive") return `${to ? "activated" : "deactivated"} the ${nouns[story.kind] ?? "record"}`
  const name = labels[field] ?? words(field).toLowerCase()
  const [before, after] = [inWords(story, field, from), inWords(story, field, to)]
  if (before === null || after === null) return `changed the ${name}`
  if (isEmpty(from)) return `set the ${name} to ${after}`
  if (isEmpty(to)) return `removed the ${name} ${before}`
  return `changed the ${name} from ${before} to ${after}`
}

/** The names of fields whose API name is not readable. */
const labels: Record<string, string> = {
  items: "lines",
  itemCode: "code",
  itemName: "name",
  itemType: "type",
  uom: "unit",
  reorderQty: "reorder quantity",
  taxId: "tax ID",
  externalId: "external ID",
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)

const prices = ["sellingPrice", "costPrice"]
/** A longer text is not told. The page shows the current one. */
const longestText = 80

/** Returns a value in words; null if it is too long or not readable. */
function inWords({ record, currency }: Story, field: string, value: unknown): string | null {
  if (isEmpty(value)) return ""
  const told = value as number | string
  if (prices.includes(field)) return price(Number(told), currency)
  if (field === "creditLimit") return money(Number(told), currency)
  if (typeof told === "number") return field === "taxRate" ? `${number(told)} %` : number(told)
  if (field.endsWith("Date")) return date(told)
  const { customer = "", customerName = "", items } = record
  const described = items && describeDocument({ customer, customerName, items })(field, value)
  const text = described ?? shown(value)
  return isId(text) || (text.length > longestText && field !== "items") ? null : text
}

const isId = (text: string): boolean => /^[a-z]{2,3}_[0-9a-z]{26}$/.test(text)
