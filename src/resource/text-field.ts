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
    // Invisible characters are removed first, because they can separate the combining marks of one letter.
    const visible = multiline || isCode ? value : withoutInvisible(value)
    if (hasTooManyMarks(visible)) return error("must not have more than 8 combining marks in a row")
    const tidied = tidy(visible, multiline)
    const wrong = errorOfText(tidied, multiline)
    if (wrong) return error(wrong)
    if (tidied === "") return error("must not be empty")
    if (isCode && hasFormatCharacters(tidied)) return error("must not contain invisible characters")
    if (isLonger(tidied, max)) return error(`must be at most ${max} characters long`)
    const checked = check?.(tidied) ?? { value: tidied }
    return "error" in checked ? error(checked.error) : checked.value
  })
}

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
