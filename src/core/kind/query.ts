import { fieldError, invalid, Refusal, type ParamsOf } from "../lib/refusal"
import { hasTooManyMarks, marksError } from "../lib/text"

/** The parameters of a query string, in their original order. */
export type Params = Map<string, string>

/**
 * Parses a query string. `+` is a space, empty pairs are skipped. Rejects invalid escapes and duplicate names, except those of
 * `field[in]`, which continue the list of values.
 */
export function parseQuery(query: string): Params {
  const params: Params = new Map()
  if (query === "") return params
  // Most query strings need no decoding.
  const read = plain.test(query) ? (text: string) => text : decode
  for (const pair of query.split("&")) {
    if (pair === "") continue
    const at = pair.indexOf("=")
    const rawName = at < 0 ? pair : pair.slice(0, at)
    const name = read(rawName, rawName)
    const before = params.get(name)
    if (before !== undefined && !name.endsWith("[in]"))
      throw badQuery(name, "RULE", "is given more than once", { rule: "REPEATED" })
    const value = at < 0 ? "" : read(pair.slice(at + 1), name)
    params.set(name, before === undefined ? value : `${before},${value}`)
  }
  return params
}

const plain = /^[\w.~*=&[\]-]*$/

/** Parses a query string that may contain only the allowed parameters. */
export function readParams(query: string, allowed: readonly string[] = []): Params {
  if (query === "") return new Map()
  const params = parseQuery(query)
  for (const name of params.keys())
    if (!allowed.includes(name))
      throw badQuery(
        name,
        "UNKNOWN_FIELD",
        allowed.length
          ? `is not a parameter here; the parameters are ${allowed.join(", ")}`
          : "is not a parameter here",
        { allowed },
      )
  return params
}

/** A refusal for one parameter that cannot be understood. */
export const badQuery = <C extends keyof ParamsOf>(
  field: string,
  code: C,
  message: string,
  ...params: ParamsOf[C]
): Refusal =>
  new Refusal("INVALID_QUERY", `The parameter ${JSON.stringify(field)} ${message}.`, {
    details: [fieldError(field, code, message, ...params)],
  })

function decode(text: string, name: string): string {
  let value: string
  try {
    value = decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    throw badQuery(name, "FORMAT", "has an invalid percent escape", { format: "percent-encoding" })
  }
  if (value.includes("\0"))
    throw badQuery(name, "FORMAT", "must not contain NUL", { format: "no-control-characters" })
  if (hasTooManyMarks(value)) throw invalid(name, "FORMAT", marksError.error, marksError.params)
  return value.normalize("NFC")
}
