import { invalid, type Refusal } from "../../core/lib/refusal"
import { badQuery, readParams, type Params } from "../../core/kind/query"
import {
  dateOrders,
  decimalSigns,
  delimiters,
  encodings,
  type Delimiter,
  type GivenFormat,
} from "../sheets/model"
import { type PriceSense, priceSenses } from "../sheets/title-form"
import { importKindOf, type ImportKind, type ImportKinds } from "./kind"
import { duplicateChoices, importModes, type ImportInput, type ImportMode } from "./model"

const names = [
  "kind",
  "mode",
  "dryRun",
  "skipInvalid",
  "mapping",
  "encoding",
  "delimiter",
  "decimal",
  "dateOrder",
  "headingRow",
  "skipTotals",
  "prices",
  "duplicates",
  "fileName",
]
/** Titles are not further down. */
const lastHeading = 1_000
const longestFileName = 200

/** A tab cannot be seen in a query, so it is written as a word. */
const tab = "tab"
export const delimiterNames = [",", ";", tab] as const

export type ImportQuery = Omit<ImportInput, "fingerprint">

export function readImportQuery(query: string, kinds: ImportKinds): ImportQuery {
  const params = readParams(query, names)
  const kindNames = Object.keys(kinds)
  const name = readChoice(params, "kind", kindNames)
  if (!name) throw invalid("kind", "REQUIRED", `is required: one of ${kindNames.join(", ")}`)
  const kind = importKindOf(kinds, name)
  const fileName = params.get("fileName") ?? null
  if (fileName !== null && fileName.length > longestFileName)
    throw badQuery("fileName", "TOO_LONG", `must be at most ${longestFileName} characters long`, {
      max: longestFileName,
    })
  const mode = readChoice(params, "mode", importModes) ?? "create"
  const { modes } = kind
  if (!modes.includes(mode))
    throw badQuery("mode", "FORMAT", `must be ${modes.join(" or ")} for ${name}`, { allowed: modes })
  return {
    kind: name,
    mode,
    dryRun: readBoolean(params, "dryRun"),
    skipInvalid: readBoolean(params, "skipInvalid"),
    fileName,
    mapping: readMapping(params.get("mapping"), kind),
    given: readFormat(params),
    prices: readPrices(params.get("prices"), kind),
    skipTotals: readBoolean(params, "skipTotals", true),
    duplicates: readDuplicates(params, kind, mode),
  }
}

function readDuplicates(params: Params, { noun, resembling }: ImportKind, mode: ImportMode) {
  const chosen = readChoice(params, "duplicates", duplicateChoices) ?? "create"
  if (chosen !== "create" && (!resembling || mode !== "create"))
    throw badQuery("duplicates", "FORMAT", `must be create for ${resembling ? `the mode ${mode}` : noun}`, {
      allowed: ["create"],
    })
  return chosen
}

function readFormat(params: Params): GivenFormat {
  const found = {
    encoding: readChoice(params, "encoding", encodings),
    delimiter: readDelimiter(params),
    decimal: readChoice(params, "decimal", decimalSigns),
    dateOrder: readChoice(params, "dateOrder", dateOrders),
    headingRow: readHeadingRow(params),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function readHeadingRow(params: Params): number | undefined {
  const given = params.get("headingRow")
  if (given === undefined) return undefined
  const row = /^\d{1,6}$/.test(given) ? Number(given) : null
  if (row === null) throw badQuery("headingRow", "TYPE", "must be a whole number", { type: "integer" })
  if (row < 1) throw badQuery("headingRow", "TOO_SMALL", "must be at least 1", { min: 1 })
  if (row > lastHeading)
    throw badQuery("headingRow", "TOO_LARGE", `must be at most ${lastHeading}`, { max: lastHeading })
  return row
}

/** Parses `sellingPrice:gross,costPrice:net`. */
function readPrices(given: string | undefined, kind: ImportKind): Record<string, PriceSense> {
  const prices: Record<string, PriceSense> = {}
  const fields = kind.fields.map(({ name }) => name).filter((name) => kind.storedSense?.(name) != null)
  for (const pair of given?.split(",", 2 * fields.length + 2) ?? []) {
    if (pair.trim() === "") continue
    const [name = "", word = ""] = pair.split(":").map((part) => part.trim())
    const sense = priceSenses.find((each) => each === word)
    if (!fields.includes(name) || sense === undefined)
      throw badQuery("prices", "FORMAT", pricesFormat(kind, fields), { allowed: fields })
    if (Object.hasOwn(prices, name))
      throw badQuery("prices", "RULE", `names ${name} more than once`, { rule: "REPEATED" })
    prices[name] = sense
  }
  return prices
}

const pricesFormat = ({ noun }: ImportKind, fields: readonly string[]): string =>
  fields.length === 0
    ? `cannot be given for ${noun}`
    : `must be FIELD:gross or FIELD:net, with a comma between several; the fields are ${fields.join(", ")}`

export function readDelimiter(params: Params): Delimiter | undefined {
  const name = readChoice(params, "delimiter", delimiterNames)
  return delimiters.find((each) => each === (name === tab ? "\t" : name))
}

/** Parses a parameter that must be one of some words. */
export function readChoice<const V extends string>(
  params: Params,
  name: string,
  allowed: readonly V[],
): V | undefined {
  const given = params.get(name)
  if (given === undefined) return undefined
  const found = allowed.find((each) => each === given)
  if (found === undefined)
    throw badQuery(name, "FORMAT", `must be one of ${allowed.join(" ")}`, { allowed: [...allowed] })
  return found
}

/** Parses a parameter that is true or false. */
export function readBoolean(params: Params, name: string, fallback = false): boolean {
  const given = params.get(name) ?? String(fallback)
  if (given === "true" || given === "false") return given === "true"
  throw badQuery(name, "TYPE", "must be true or false", { type: "boolean" })
}

/**
 * Parses `itemCode:Artikelnummer,itemName:Bezeichnung`. A field without a column is left out. Commas, colons and percent
 * signs in the title of a column are percent-encoded.
 */
function readMapping(given: string | undefined, kind: ImportKind): Record<string, string | null> {
  const mapping: Record<string, string | null> = {}
  const titles = new Set<string>()
  for (const pair of given?.split(",") ?? []) {
    if (pair.trim() === "") continue
    const at = pair.indexOf(":")
    const field = (at < 0 ? pair : pair.slice(0, at)).trim()
    if (!kind.fields.some(({ name }) => name === field)) throw unknownField(field, kind)
    if (Object.hasOwn(mapping, field)) throw repeated(`names ${field} more than once`)
    const title = at < 0 ? null : readTitle(pair.slice(at + 1))
    if (title !== null && titles.has(title)) throw repeated("names a column more than once")
    if (title !== null) titles.add(title)
    mapping[field] = title
  }
  return mapping
}

/** The first error only: each lists all fields, and a query can have thousands of them. */
const unknownField = (field: string, { fields }: ImportKind): Refusal =>
  badQuery(
    "mapping",
    "UNKNOWN_FIELD",
    `contains ${JSON.stringify(field.slice(0, 64))}, which cannot be imported; the fields are ${fields.map(({ name }) => name).join(", ")}`,
  )

const repeated = (message: string): Refusal => badQuery("mapping", "RULE", message, { rule: "REPEATED" })

function readTitle(text: string): string | null {
  const title = text.trim()
  if (title === "" || title === "-") return null
  try {
    return decodeURIComponent(title)
  } catch {
    return title
  }
}
