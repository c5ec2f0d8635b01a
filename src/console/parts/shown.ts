import { companyCurrency, countryName, date, moment, money, number, price, words } from "../format"
import { language, t } from "../texts"
import { fieldName } from "../texts/fields"
import type { Texts } from "../texts/texts"
import type { Scope } from "../../shared/rights"
import { methodIn } from "../../shared/suggestions"
import { isRaise, type PlanName, planNames } from "../../shared/plans"

/** Where the texts of the values of a field are that other kinds have with another meaning. */
const ofKind = new Map<string, keyof Texts["values"]>([
  ["customers.type", "customerType"],
  ["oauth-clients.type", "clientType"],
  ["stock-movements.reason", "stockReason"],
  ["tax-codes.category", "taxCategory"],
  ["recurring-invoices.mode", "recurringMode"],
  ["recurring-invoices.prices", "recurringPrices"],
  ["audit-logs.kind", "auditKind"],
])

/** The fields with a few possible values, and where the texts of these are. */
const fieldsWithTexts = new Map<string, keyof Texts["values"]>([
  ["actorType", "actorType"],
  ["correctBy", "correctBy"],
  ["invoiceFrom", "invoiceFrom"],
  ["creditPolicy", "creditPolicy"],
  ["defaultLanguage", "language"],
  ["defaultPlan", "plan"],
  ["deliveryStatus", "status"],
  ["invoiceStatus", "status"],
  ["invoiceType", "invoiceType"],
  ["itemType", "itemType"],
  ["language", "language"],
  ["method", "paymentMethod"],
  ["outcome", "status"],
  ["payload", "payload"],
  ["plan", "plan"],
  ["requireSecondFactor", "requireSecondFactor"],
  ["role", "role"],
  ["scopes", "scopeBadge"],
  ["setUpStep", "setUpStep"],
  ["status", "status"],
  ["taxCategory", "taxCategory"],
  ["taxTreatment", "taxTreatment"],
  ["via", "via"],
])

/** The value of any field of a kind as people read it. A value without a text is shown as it is. */
export function shown(field: string, value: unknown, of?: string | null): string {
  if (value === null || value === undefined || value === "") return "–"
  if (typeof value === "boolean") return value ? t(($) => $.forms.yes) : t(($) => $.forms.no)
  if (typeof value === "number") return figure(field, value, of)
  if (Array.isArray(value))
    return value.length === 0 ? "–" : value.map((each) => shown(field, each, of)).join("; ")
  if (typeof value === "object")
    return Object.entries(value)
      .filter(([, each]) => each !== null && each !== "")
      .map(([name, each]) => `${fieldName(name, { otherwise: words(name) })}: ${shown(name, each, field)}`)
      .join(", ")
  return textOf(field, String(value), of)
}

/** A number of a record as people read it: an amount, a price, a percentage, or a quantity. */
function figure(field: string, value: number, of: string | null | undefined): string {
  const currency = companyCurrency()
  if (isPercentage(field, of)) return `${number(value)} %`
  if (currency === null) return number(value)
  if (isPrice(field, of)) return price(value, currency)
  return isAmount(field) ? money(value, currency) : number(value)
}

/** The parts of a list have the name of its field as `of`: the lines of a document are its `items`. */
const isPrice = (field: string, of?: string | null): boolean =>
  field.endsWith("Price") || (field === "rate" && of === "items")
const isPercentage = (field: string, of?: string | null): boolean =>
  field === "taxRate" || field === "discount" || (field === "rate" && (of === "taxes" || of === "tax-codes"))
const isAmount = (field: string): boolean =>
  /^(amount|amountPaid|balance|base|fee|net|refunded|subtotal|tax|total|unallocated|unapplied|writtenOff)$/.test(
    field,
  ) ||
  /(Amount|Balance|Discount|Limit|Total|Value)$/.test(field) ||
  /^credit(Applied|Taken)$/.test(field)

function textOf(field: string, value: string, of: string | null | undefined): string {
  if (field === "country") return countryName(value) ?? value
  const plain = field === "method" ? methodIn(language, value) : value
  if (plain !== value) return plain
  const group = ofKind.get(`${of ?? ""}.${field}`) ?? fieldsWithTexts.get(field)
  if (group) {
    const texts: Record<string, string> = t(($) => $.values[group], { returnObjects: true })
    return (Object.hasOwn(texts, value) && texts[value]) || value
  }
  if (isDay(field) && /^\d{4}-\d\d-\d\d$/.test(value)) return date(value)
  return isMoment(field) && /^\d{4}-\d\d-\d\dT/.test(value) ? moment(value) : value
}

/** True for the name of a date: date, orderDate, lockedUntil, startsOn. */
export const isDay = (field: string): boolean => /(^date|Date|Until|sOn)$/.test(field)

/** True for the name of a point in time: createdAt, failingSince. */
export const isMoment = (field: string): boolean => /(At|Since)$/.test(field)

/** [read, write] → View, update. */
export const rightsInWords = (scopes: readonly Scope[]): string => {
  const text = scopes.map((scope) => t(($) => $.values.right[scope])).join(", ")
  return text === "" ? "–" : text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}

type Options = {
  /** The label for having no own plan, and the plan that applies then. */
  inherited: { label: string; plan: PlanName }
  /** The current plan. Only admins may choose a larger plan. */
  before: PlanName
  isAdmin: boolean
}

/** Returns the plan options. The empty value means the inherited plan. */
export const planChoices = ({ inherited, before, isAdmin }: Options) => [
  { value: "", label: inherited.label, disabled: !isAdmin && isRaise(before, inherited.plan) },
  ...planNames.map((plan) => ({
    value: plan,
    label: t(($) => $.values.plan[plan]),
    disabled: !isAdmin && isRaise(before, plan),
  })),
]
