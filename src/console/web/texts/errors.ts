import i18next from "i18next"
import type { ErrorParams, FieldError, Format, RefusalCode, Rule } from "../../../lib/refusal"
import { errorTexts, locales, t } from "./index"
import type { ErrorTexts } from "./texts"

type Described = { code: string; message: string; params?: ErrorParams | undefined }

/** An error of the server as a sentence in the user's language. An unknown code has the server's sentence. */
export function errorMessage({ code, message, params }: Described): string {
  const text = errorTexts?.codes[code as RefusalCode]
  return text === undefined ? message : filled(text, params)
}

/** What is wrong with a field, in the user's language. The server's own words are English. */
export const detailMessage = (detail: FieldError, inEnglish: string): string =>
  errorTexts ? detailIn(errorTexts, detail) : inEnglish

/** What is wrong with a field, in another language than English. */
export function detailIn({ details, formats, rules }: ErrorTexts, { code, params = {} }: FieldError): string {
  if (code === "TOO_SMALL" && params.above !== undefined) return filled(details.ABOVE, params)
  if (code === "RULE") return filled(rules[params.rule as Rule] ?? details.RULE, params)
  if (code !== "FORMAT") return filled(details[code], params)
  if (params.allowed !== undefined) return filled(details.ALLOWED, params)
  if (params.decimals !== undefined) return filled(details.DECIMALS, params)
  return formats[params.format as Format] ?? details.FORMAT
}

const numbers = new Intl.NumberFormat([...locales], { maximumFractionDigits: 4 })

/** Puts parameters into a text, in the user's language. */
const filled = (text: string, params: ErrorParams = {}): string =>
  i18next.services.interpolator.interpolate(
    text,
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shown(name, value)])),
    i18next.language,
    {},
  )

/** A parameter as people read it. A document without a number is a draft. */
function shown(name: string, value: ErrorParams[string]): string {
  if (name === "number" && value === null) return t(($) => $.values.status.draft)
  if (name === "status" && typeof value === "string") return statuses()[value] ?? value
  if (typeof value === "number") return numbers.format(value)
  return typeof value === "object" && value !== null ? value.join(", ") : String(value)
}

const statuses = (): Record<string, string> => t(($) => $.values.status, { returnObjects: true })
