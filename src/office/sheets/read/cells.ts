import { shapeOfJson } from "../../../core/lib/json"
import type { Near } from "../../../shared/dates"
import { unescapeText } from "../../../shared/sheet-escape"
import type { CellType, Fault, NumberForm, NumberUnit, SheetFaultCode, SheetFormat } from "../model"
import { dateFault, dateOfSerial, isAmbiguousDate, isMonthFirst, parseDate } from "./dates"
import { longestCell } from "./limits"
import { numberFault, parseNumber, plainNumber, isAmbiguous } from "./numbers"
import { cut, quoted, shown } from "./sheet-error"
import { moneyText, withoutSign } from "./signs"

/** A cell as its file has it. A CSV file has only text. `percent` is shown as a hundredfold, `error` is a sentence. */
export type Cell =
  string | number | boolean | { date: string } | { percent: number } | { error: string } | null

/** The value of a cell, or why it has none. */
export type Converted = { value: unknown } | { fault: CellFault }

type CellFault = Pick<Fault, "code" | "params" | "message">

/** A fault of a cell, with its value cut to a length that can be shown. */
const faultOf = (code: SheetFaultCode, text: string, message: string): { fault: CellFault } => ({
  fault: { code, params: { value: cut(text) }, message },
})

/** No valid value of a field, and no record, has more levels. */
export const deepestJson = 20

/** In English, German, French, Spanish, Italian and Dutch. */
const yes =
  "true yes y ja j oui sí si s sì wahr vrai verdadero vero waar 1 x ✓ ✔ on an active aktiv actif activo attivo actief"
const no =
  "false no n nein non nee falsch faux falso onwaar niet 0 - – off aus inactive inaktiv inactif inactivo inattivo inactief"

const words: ReadonlyMap<string, boolean> = new Map([
  ...yes.split(" ").map((word) => [word, true] as const),
  ...no.split(" ").map((word) => [word, false] as const),
])

/** The errors of formulas, as spreadsheet programs also write them into CSV files. */
const formulaError =
  /^#(REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|WERT!|BEZUG!|ZAHL!|NV|VALEUR!|NOM\s?\?)$/

/** Three digits, a sign and three digits, with a minus and some spaces. */
const longestAmbiguous = 20

/** True for a cell without content. */
export const isEmpty = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === "string" && cell.trim() === "")

/** The content of a cell as text. */
export function textOf(cell: Cell): string {
  if (typeof cell === "string") return unescapeText(cell)
  if (typeof cell === "number") return plainNumber(cell)
  if (typeof cell === "boolean") return String(cell)
  if (cell === null) return ""
  if ("percent" in cell) return `${plainNumber(hundredfold(cell.percent))} %`
  return "date" in cell ? cell.date : cell.error
}

/** Without the error of a binary fraction: 0.07 is 7 %. */
const hundredfold = (share: number): number => Number((share * 100).toPrecision(15))

/** Converts a cell that is not empty. */
export function convert(
  cell: Cell,
  type: CellType,
  format: SheetFormat,
  form?: NumberForm,
  near?: Near,
): Converted {
  if (typeof cell === "object" && cell !== null && "error" in cell)
    return { fault: { code: "FORMULA_ERROR", params: {}, message: cell.error } }
  const text = textOf(cell)
  if (text.length > longestCell)
    return {
      fault: {
        code: "CELL_TOO_LONG",
        params: { max: longestCell },
        message: `The cell has more than ${shown(longestCell)} characters.`,
      },
    }
  if (type !== "text" && formulaError.test(text))
    return faultOf("FORMULA_ERROR", text, `${quoted(text)} is the error of a formula.`)
  if (type === "number") return toNumber(cell, text, form ?? { ...format, unit: null })
  if (type === "date") return toDate(cell, text, format, near)
  return converters[type](text)
}

const converters: Readonly<Record<"text" | "boolean" | "list" | "json", (text: string) => Converted>> = {
  text: (text) => ({ value: text }),
  boolean: toBoolean,
  list: toList,
  json: toJson,
}

function toNumber(cell: Cell, given: string, { decimal, isDecimalGuessed, unit }: NumberForm): Converted {
  if (typeof cell === "number") return { value: cell }
  if (typeof cell === "object" && cell !== null && "percent" in cell && !isMoney(unit))
    return { value: unit === "percent" ? hundredfold(cell.percent) : cell.percent }
  // Excel shows an apostrophe before a number that was entered as text.
  const text = given.trim().replace(/^'/, "")
  const { text: plain, sign, means } = withoutSign(text)
  const notANumber = () => faultOf("NOT_A_NUMBER", text, numberFault(text, decimal))
  if (means !== null && (unit === null || (means === "percent") !== (unit === "percent"))) return notANumber()
  if (isMoney(unit) && means !== null && means !== "percent")
    if (!means.has(unit.currency)) return otherCurrency(text, sign ?? "", unit.currency)
  const number = isMoney(unit) ? moneyText(plain) : plain
  if (isDecimalGuessed && number.length < longestAmbiguous && isAmbiguous(number))
    return faultOf(
      "AMBIGUOUS_NUMBER",
      text,
      `${quoted(text)} can be read in two ways: set the decimal sign of the file.`,
    )
  const value = parseNumber(number, decimal)
  return value === null ? notANumber() : { value }
}

const isMoney = (unit: NumberUnit | null): unit is { currency: string } =>
  typeof unit === "object" && unit !== null

/** Prices of another currency must not become prices of the company's. */
function otherCurrency(text: string, sign: string, currency: string): { fault: CellFault } {
  const { code, params } = faultOf("OTHER_CURRENCY", text, "").fault
  const message = `${quoted(text)} is in another currency: ${sign} is not ${currency}, the currency of the company.`
  return { fault: { code, params: { ...params, sign, currency }, message } }
}

function toDate(
  cell: Cell,
  text: string,
  { dateOrder, isDateOrderGuessed }: SheetFormat,
  near?: Near,
): Converted {
  if (isDateOrderGuessed && typeof cell === "string" && isAmbiguousDate(text))
    return faultOf(
      "AMBIGUOUS_DATE",
      text,
      `${quoted(text)} can be read in several ways: set the order of day, month and year (dateOrder).`,
    )
  const value = typeof cell === "number" ? dateOfSerial(cell) : parseDate(text, dateOrder, near)
  if (value !== null) return { value }
  return isMonthFirst(text)
    ? faultOf("MONTH_FIRST", text, `${quoted(text)} is not a date: with points, it must be day.month.year.`)
    : faultOf("NOT_A_DATE", text, dateFault(text, dateOrder))
}

function toBoolean(text: string): Converted {
  const value = words.get(text.trim().toLowerCase())
  return value === undefined
    ? faultOf("NOT_A_BOOLEAN", text, `${quoted(text)} is neither yes nor no.`)
    : { value }
}

/** A JSON array, or values with line breaks or `|` between them. */
function toList(text: string): Converted {
  if (!text.trimStart().startsWith("["))
    return {
      value: text
        .split(/[\r\n|]+/)
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    }
  const value = parsed(text)
  return Array.isArray(value) ? { value } : faultOf("NOT_A_LIST", text, `${quoted(text)} is not a list.`)
}

function toJson(text: string): Converted {
  const value = parsed(text)
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { value }
    : faultOf("NOT_AN_OBJECT", text, `${quoted(text)} is not a JSON object.`)
}

/** Returns undefined when a text is not JSON. `__proto__` is left out, because to set it changes what an object is. */
function parsed(text: string): unknown {
  if (shapeOfJson(Buffer.from(text)).depth > deepestJson) return undefined
  try {
    return JSON.parse(text, (key: string, value: unknown) => (key === "__proto__" ? undefined : value))
  } catch {
    return undefined
  }
}
