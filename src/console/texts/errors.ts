import i18next from "i18next"
import type { ErrorParams, FieldError, Format, Rule } from "../../core/lib/refusal"
import type { Warning } from "../api/types"
import type { TreatmentReason } from "../../shared/documents/treatment-reasons"
import { countryName, date, money, number } from "../format"
import { fieldName } from "./fields"
import { errorTexts, t } from "./index"
import type { ErrorTexts, WarningVariant } from "./texts"

type Described = { code: string; message: string; params?: ErrorParams | undefined }

/** An error of the server as a sentence in the user's language. An unknown code has the server's sentence. */
export function errorMessage({ code, message, params }: Described): string {
  const text = (errorTexts?.codes as Readonly<Record<string, string>> | undefined)?.[code]
  return text === undefined ? inMoney(message, params) : filled(text, params)
}

/** The amounts in the server's own words as people write them: "59.50 EUR" is €59.50. */
const inMoney = (message: string, params: ErrorParams = {}): string =>
  typeof params.currency === "string"
    ? message.replace(new RegExp(`(-?\\d+(?:\\.\\d+)?) ${params.currency}\\b`, "g"), (_, amount) =>
        money(Number(amount), String(params.currency)),
      )
    : message

/** What is wrong with a field, in the user's language. The server's own words are English. */
export const detailMessage = (detail: FieldError, inEnglish: string): string =>
  errorTexts ? detailIn(errorTexts, detail) : inMoney(inEnglish, detail.params)

/** What is wrong with a field, in another language than English. Only the message says whether entries are counted. */
export function detailIn(
  { details, formats, rules }: ErrorTexts,
  { field, code, message, params = {} }: FieldError,
): string {
  if (/ (entries|entry|lines?|pairs)$/.test(message))
    return filled(code === "TOO_LONG" ? details.TOO_MANY : details.TOO_FEW, params)
  // The name of a country is longer than its code.
  if (code === "TOO_LONG" && /\bcountry$/.test(field)) return formats.country
  if (code === "TOO_SMALL" && params.above !== undefined) return filled(details.ABOVE, params)
  if (code === "TOO_SMALL" && params.of === "total") return filled(details.TOTAL_TOO_SMALL, params)
  if (code === "RULE" && params.minPercent !== undefined) return filled(details.DISCOUNT_KEPT_PERCENT, params)
  if (code === "RULE") return filled(rules[params.rule as Rule] ?? details.RULE, params)
  if (code !== "FORMAT") return filled(details[code], params)
  if (params.allowed !== undefined) return filled(details.ALLOWED, params)
  if (params.decimals !== undefined) return filled(details.DECIMALS, params)
  return formats[params.format as Format] ?? details.FORMAT
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/

/** What the user should know about a request that was executed, in the user's language. */
export const warningMessage = (warning: Warning): string =>
  errorTexts ? warningIn(errorTexts, warning) : inMoney(warning.message, warning.params)

/** A warning in another language than English. An unknown code has the server's sentence. */
export function warningIn({ warnings }: ErrorTexts, { code, message, params = {} }: Warning): string {
  const isAlreadyOver = code === "CREDIT_LIMIT_EXCEEDED" && params.total === undefined
  const variant = `${code}_${params.problem}` as WarningVariant
  const text = isAlreadyOver ? warnings.ALREADY_OVER_LIMIT : (warnings[variant] ?? warnings[code])
  return text === undefined ? inMoney(message, params) : filled(text, params)
}

/** Why a treatment fits a customer, in the user's language. */
export const treatmentReason = (reason: TreatmentReason, country: string): string =>
  t(($) => $.values.treatmentReason[reason], { country: countryName(country) ?? country })

/** Puts parameters into a text, in the user's language. */
function filled(text: string, given: ErrorParams = {}): string {
  const params =
    given.proposed === undefined
      ? given
      : { ...given, reason: treatmentReason(given.reason as TreatmentReason, String(given.country)) }
  return i18next.services.interpolator.interpolate(
    text,
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shown(name, value, params)])),
    i18next.language,
    {},
  )
}

/**
 * A parameter as people read it. A document without a number is a draft. The numbers beside a currency are amounts, except
 * percentages.
 */
function shown(name: string, value: ErrorParams[string], { currency }: ErrorParams): string {
  if (name === "number" && value === null) return t(($) => $.values.status.draft)
  if (name === "status" && typeof value === "string") return statuses()[value] ?? value
  if ((name === "taxTreatment" || name === "current" || name === "proposed") && typeof value === "string")
    return treatments()[value] ?? value
  if (name === "field" && typeof value === "string") return fieldName(value.split(".").at(-1) ?? value)
  if (name === "country" && typeof value === "string") return countryName(value) ?? value
  if (name === "missing" && Array.isArray(value)) return value.map(missingName).join(", ")
  if (typeof value === "string" && isoDate.test(value)) return date(value)
  if (typeof value === "number")
    return typeof currency === "string" && !/percent$|^decimals$/i.test(name)
      ? money(value, currency)
      : number(value)
  return typeof value === "object" && value !== null ? value.join(", ") : String(value)
}

/** The name of a field of an invoice that is missing: `seller.phone` is the phone number of the company. */
function missingName(field: string): string {
  const [first = "", ...rest] = field.split(".")
  const name = fieldName(rest.at(-1) ?? first)
  if (first === "seller") return t(($) => $.parts.ofCompany, { name })
  return first === "buyer" ? t(($) => $.parts.ofCustomer, { name }) : name
}

const treatments = (): Record<string, string> => t(($) => $.values.taxTreatment, { returnObjects: true })
const statuses = (): Record<string, string> => t(($) => $.values.status, { returnObjects: true })
