import i18next from "i18next"
import type { ErrorParams, FieldError, RefusalCode } from "../../../lib/refusal"
import { errorTexts, locales } from "./index"

type Described = { code: string; message: string; params?: ErrorParams | undefined }

/** An error of the server as a sentence in the user's language. An unknown code has the server's sentence. */
export function errorMessage({ code, message, params }: Described): string {
  const text = errorTexts?.codes[code as RefusalCode]
  return text === undefined ? message : filled(text, params)
}

/** What is wrong with a field, in the user's language. `inEnglish` is used if the language has no text for it. */
export function detailMessage(detail: FieldError, inEnglish: string): string {
  if (!errorTexts) return inEnglish
  const { code, params } = detail
  const { details, formats, rules } = errorTexts
  if (code === "TOO_SMALL" && params?.above !== undefined)
    return filled(details.TOO_SMALL, { min: params.above })
  if (code === "FORMAT" && Array.isArray(params?.allowed)) return params.allowed.join(", ")
  if (code === "FORMAT") return formats[params?.format as keyof typeof formats] ?? details.FORMAT
  if (code === "RULE") return filled(rules[params?.rule as keyof typeof rules] ?? details.RULE, params)
  return filled(details[code] ?? inEnglish, params)
}

const numbers = new Intl.NumberFormat([...locales], { maximumFractionDigits: 4 })

/** Puts parameters into a text, numbers in the user's format. */
const filled = (text: string, params: ErrorParams = {}): string =>
  i18next.services.interpolator.interpolate(
    text,
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === "number" ? numbers.format(value) : value,
      ]),
    ),
    i18next.language,
    {},
  )
