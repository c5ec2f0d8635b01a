import {
  errorOfText,
  hasFormatCharacters,
  hasTooManyMarks,
  isLonger,
  tidy,
  withoutInvisible,
} from "../lib/text"
import { Type } from "@sinclair/typebox"
import { field, type Given } from "./field"

type TextOptions = {
  max?: number
  multiline?: boolean
  /** True for codes that people type to identify records. Invisible characters are rejected in them. */
  isCode?: boolean
  examples?: string[]
  description?: string
  format?: string
  /** Converts a valid text to its final form, or returns an error. */
  check?: (value: string) => { value: string } | { error: string }
}

export function text({
  max = 200,
  multiline = false,
  isCode = false,
  check,
  ...annotations
}: TextOptions = {}): Given<string> {
  const schema = Type.String({ minLength: 1, maxLength: max, ...annotations })
  return field(multiline ? "prose" : "text", schema, (value, at, errors) => {
    const error = (message: string) => void errors.push({ field: at, message })
    if (typeof value !== "string") return error("must be a string")
    if (value.length > 2 * max) return error(`must be at most ${max} characters long`)
    if (hasTooManyMarks(value)) return error("must not have more than 8 combining marks in a row")
    const kept = tidied(value, { multiline, isCode })
    const wrong = errorOfText(kept, multiline)
    if (wrong) return error(wrong)
    if (kept === "") return error("must not be empty")
    if (isCode && hasFormatCharacters(kept)) return error("must not contain invisible characters")
    if (isLonger(kept, max)) return error(`must be at most ${max} characters long`)
    const checked = check?.(kept) ?? { value: kept }
    return "error" in checked ? error(checked.error) : checked.value
  })
}

const tidied = (value: string, { multiline, isCode }: { multiline: boolean; isCode: boolean }): string =>
  multiline || isCode ? tidy(value, multiline) : withoutInvisible(tidy(value))

/** A code or number that only the server creates. */
export const code = (example: string): Given<string> => ({
  ...text({ max: 64, examples: [example] }),
  isAscii: true,
})

const emailPattern =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

export const email = () =>
  text({
    max: 254,
    isCode: true,
    format: "email",
    examples: ["office@example.com"],
    check: (value) => (emailPattern.test(value) ? { value } : { error: "must be an email address" }),
  })

/** A text that is compared exactly, such as a password or a token. */
export const secretText = (): Given<string> =>
  field("text", Type.String({ format: "password", minLength: 1 }), (value, at, errors) => {
    if (typeof value === "string" && value !== "") return value
    errors.push({ field: at, message: "must be a string that is not empty" })
  })

const shortestPassword = 10
const longestPassword = 256

/** A new password. It is not normalized: every character counts. */
export const newPassword = (): Given<string> => {
  const schema = Type.String({
    format: "password",
    minLength: shortestPassword,
    maxLength: longestPassword,
    writeOnly: true,
  })
  return field("text", schema, (value, at, errors) => {
    const error = (message: string) => void errors.push({ field: at, message })
    if (typeof value !== "string" || !value.isWellFormed()) return error("must be a string")
    if (!isLonger(value, shortestPassword - 1))
      return error(`must have at least ${shortestPassword} characters`)
    if (isLonger(value, longestPassword)) return error(`must have at most ${longestPassword} characters`)
    return value
  })
}
