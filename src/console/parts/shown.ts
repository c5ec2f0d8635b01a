import { date, moment, number, words } from "../format"
import { t } from "../texts"
import { fieldName } from "../texts/fields"
import type { Texts } from "../texts/texts"

/** The fields with a few possible values, and where the texts of these are. */
const fieldsWithTexts = new Map<string, keyof Texts["values"]>([
  ["actorType", "actorType"],
  ["correctBy", "correctBy"],
  ["creditPolicy", "creditPolicy"],
  ["defaultPlan", "plan"],
  ["invoiceStatus", "status"],
  ["itemType", "itemType"],
  ["kind", "auditKind"],
  ["outcome", "status"],
  ["plan", "plan"],
  ["reason", "stockReason"],
  ["role", "role"],
  ["scopes", "scopeBadge"],
  ["status", "status"],
  ["type", "clientType"],
])

/** The value of any field as people read it. A value without a text is shown as it is. */
export function shown(field: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "–"
  if (typeof value === "boolean") return value ? t(($) => $.forms.yes) : t(($) => $.forms.no)
  if (typeof value === "number") return number(value)
  if (Array.isArray(value))
    return value.length === 0 ? "–" : value.map((each) => shown(field, each)).join("; ")
  if (typeof value === "object")
    return Object.entries(value)
      .filter(([, each]) => each !== null && each !== "")
      .map(([name, each]) => `${fieldName(name, words(name))}: ${shown(name, each)}`)
      .join(", ")
  return textOf(field, String(value))
}

function textOf(field: string, value: string): string {
  const group = fieldsWithTexts.get(field)
  if (group) {
    const texts: Record<string, string> = t(($) => $.values[group], { returnObjects: true })
    return (Object.hasOwn(texts, value) && texts[value]) || value
  }
  if (field.endsWith("Date") && /^\d{4}-\d\d-\d\d$/.test(value)) return date(value)
  return field.endsWith("At") && /^\d{4}-\d\d-\d\dT/.test(value) ? moment(value) : value
}
