import commonPasswordList from "./common-passwords.txt" with { type: "text" }
import { once } from "../lib/shared-runs"
import {
  errorOfText,
  hasFormatCharacters,
  hasTooManyMarks,
  isLonger,
  marksError,
  tidy,
  withoutInvisible,
} from "../lib/text"
import { Type } from "@sinclair/typebox"
import { reporter, type Format } from "../lib/refusal"
import { field, type Given } from "./field"

type TextOptions = {
  max?: number
  multiline?: boolean
  /** True for codes that people type to identify records. Invisible characters are rejected in them. */
  isCode?: boolean
  examples?: string[]
  description?: string
  format?: string
  /** Converts a valid text to its final form, or returns an error and the form that the text must have. */
  check?: (value: string) => { value: string } | { error: string; format: Format }
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
    const error = reporter(errors, at)
    const tooLong = () => error("TOO_LONG", `must be at most ${max} characters long`, { max })
    if (typeof value !== "string") return error("TYPE", "must be a string", { type: "string" })
    if (value.length > 2 * max) return tooLong()
    // Invisible characters are removed first, because they can separate the combining marks of one letter.
    const visible = multiline || isCode ? value : withoutInvisible(value)
    if (hasTooManyMarks(visible)) return error("FORMAT", marksError.error, marksError.params)
    const tidied = tidy(visible, multiline)
    const wrong = errorOfText(tidied, multiline)
    if (wrong) return error("FORMAT", wrong.error, { format: wrong.format })
    if (tidied === "") return error("TOO_SHORT", "must not be empty", { min: 1 })
    if (isCode && hasFormatCharacters(tidied))
      return error("FORMAT", "must not contain invisible characters", { format: "no-invisible-characters" })
    if (isLonger(tidied, max)) return tooLong()
    const checked = check?.(tidied) ?? { value: tidied }
    return "error" in checked ? error("FORMAT", checked.error, { format: checked.format }) : checked.value
  })
}

/** A code or number that only the server creates. */
export const code = (example: string): Given<string> => ({
  ...text({ max: 64, examples: [example] }),
  isAscii: true,
})

const emailPattern =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

export const isEmail = (value: string): boolean => value.length <= 254 && emailPattern.test(value)

export const email = () =>
  text({
    max: 254,
    isCode: true,
    format: "email",
    examples: ["office@example.com"],
    check: (value) =>
      emailPattern.test(value) ? { value } : { error: "must be an email address", format: "email" },
  })

/** A text that is compared exactly, such as a password or a token. */
export const secretText = (): Given<string> =>
  field("text", Type.String({ format: "password", minLength: 1 }), (value, at, errors) => {
    const error = reporter(errors, at)
    const message = "must be a string that is not empty"
    if (typeof value !== "string") return error("TYPE", message, { type: "string" })
    return value === "" ? error("TOO_SHORT", message, { min: 1 }) : value
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
    const error = reporter(errors, at)
    const [min, max] = [shortestPassword, longestPassword]
    if (typeof value !== "string") return error("TYPE", "must be a string", { type: "string" })
    if (!value.isWellFormed()) return error("FORMAT", "must be well-formed Unicode", { format: "unicode" })
    if (!isLonger(value, min - 1)) return error("TOO_SHORT", `must have at least ${min} characters`, { min })
    if (isLonger(value, max)) return error("TOO_LONG", `must have at most ${max} characters`, { max })
    if (commonPasswords().has(value.toLowerCase()))
      return error("RULE", "is one of the commonest passwords, which are tried first", {
        rule: "COMMON_PASSWORD",
      })
    return value
  })
}

/** Those of the commonest passwords of public leaks that are long enough to be allowed. */
const commonPasswords = once(() => new Set(commonPasswordList.split("\n")))
