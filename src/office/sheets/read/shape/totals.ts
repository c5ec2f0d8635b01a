import { isEmpty, textOf, type Cell } from "../cells"
import { parseNumber } from "../numbers"
import { cut } from "../sheet-error"
import { withoutSign } from "../signs"

/** More rows of sums are rows of data. */
export const mostTotals = 20

const longestText = 60
const mostShown = 12

/** How a row of sums begins, in English, German, French, Spanish, Italian and Dutch. */
const begins =
  /^(summe|gesamt|gesamtsumme|gesamtbetrag|endsumme|zwischensumme|zw\.-summe|total|totals|subtotal|sub-total|grand total|sum|somme|sous-total|total général|suma|somma|totale|subtotale|totaal|subtotaal|som|mwst|ust|umsatzsteuer|mehrwertsteuer|vat|tva|iva|btw)(?=$|[\s.:])/iu

/** What else may stand in its only text. */
const rest =
  /^(netto|brutto|net|gross|inkl|exkl|incl|excl|zzgl|mwst|ust|vat|tva|iva|btw|ht|ttc|eur|euro|chf|usd|gbp|artikel|positionen|kunden|rechnungen|items|articles|customers|invoices|general|générale|général|generale|in|der|die|aller|alle|of|all|des|tous|\d+([.,]\d+)?|%|€|\$|£)$/iu

/** True for a row of sums: one text such as "Summe", and numbers. */
export function isTotal(cells: readonly Cell[]): boolean {
  const full = cells.filter((cell) => !isEmpty(cell))
  if (full.length < 2) return false
  const texts = full.filter((cell) => !isNumber(cell))
  return texts.length === 1 && texts.length < full.length && saysTotal(texts[0] ?? null)
}

function saysTotal(cell: Cell): boolean {
  if (typeof cell !== "string" || cell.length > longestText) return false
  const text = cell.trim()
  const begun = begins.exec(text)?.[0]
  if (begun === undefined) return false
  const words = text.slice(begun.length).split(/[\s:.,;()+=/-]+/u)
  return words.every((word) => word === "" || rest.test(word))
}

function isNumber(cell: Cell): boolean {
  if (typeof cell === "number") return true
  if (typeof cell === "object" && cell !== null) return "percent" in cell
  if (typeof cell !== "string" || cell.length > longestText) return false
  const { text } = withoutSign(cell)
  return parseNumber(text, ".") !== null || parseNumber(text, ",") !== null
}

/** What a row of sums says, on one line. */
export const totalText = (cells: readonly Cell[]): string =>
  cut(
    cells
      .filter((cell) => !isEmpty(cell))
      .slice(0, mostShown)
      .map((cell) => textOf(cell).trim())
      .join(" · "),
  )
