import {
  faultOfText,
  hasFormatCharacters,
  hasTooManyMarks,
  isLonger,
  isPrintable,
  tidy,
  withoutInvisible,
} from "../lib/text"
import { field, type Given } from "./field"

type TextOptions = {
  max?: number
  multiline?: boolean
  /** True for what people type to tell records apart: characters that nobody sees are refused in it. */
  isCode?: boolean
  examples?: string[]
  description?: string
  format?: string
  /** Brings an otherwise fine text into its final form, or says what is wrong with it. */
  check?: (value: string) => { value: string } | { fault: string }
}

export function text({
  max = 200,
  multiline = false,
  isCode = false,
  check,
  ...annotations
}: TextOptions = {}): Given<string> {
  const schema = { type: "string", minLength: 1, maxLength: max, ...annotations }
  return field(multiline ? "prose" : "text", schema, (value, at, faults) => {
    const fault = (message: string) => void faults.push({ field: at, message })
    if (typeof value !== "string") return fault("must be a string")
    if (value.length > 2 * max) return fault(`must be at most ${max} characters long`)
    const isPlain = isPrintable(value)
    if (!isPlain && hasTooManyMarks(value)) return fault("must not have more than 8 combining marks in a row")
    const kept = isPlain ? value.trim() : tidied(value, { multiline, isCode })
    const wrong = isPlain ? null : faultOfText(kept, multiline)
    if (wrong) return fault(wrong)
    if (kept === "") return fault("must not be empty")
    if (!isPlain && isCode && hasFormatCharacters(kept)) return fault("must not contain invisible characters")
    if (isLonger(kept, max)) return fault(`must be at most ${max} characters long`)
    const checked = check?.(kept) ?? { value: kept }
    return "fault" in checked ? fault(checked.fault) : checked.value
  })
}

const tidied = (value: string, { multiline, isCode }: { multiline: boolean; isCode: boolean }): string =>
  multiline || isCode ? tidy(value, multiline) : withoutInvisible(tidy(value))

/** A code or number that only the service makes. */
export const code = (example: string): Given<string> => ({
  ...text({ max: 64, examples: [example] }),
  isAscii: true,
})

const mailPattern =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

export const email = () =>
  text({
    max: 254,
    isCode: true,
    format: "email",
    examples: ["office@example.com"],
    check: (value) => (mailPattern.test(value) ? { value } : { fault: "must be an e-mail address" }),
  })
