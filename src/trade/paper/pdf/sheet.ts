import { addressLines, type Formats } from "../contents"
import type { Paper } from "../model"
import { localeOf, wordedOf } from "../shown"
import type { Texts } from "../words"
import type { Ruler } from "./pen"

/** What all parts of a page are made from: the document, its words and formats, and how wide texts are. */
export type Sheet = { paper: Paper; texts: Texts; formats: Formats; ruler: Ruler }

export function sheetOf(paper: Paper, ruler: Ruler): Sheet {
  const { formats, ...worded } = wordedOf(paper)
  const money = drawable(formats.money, localeOf(paper), paper.currency, ruler)
  return { ...worded, formats: { ...formats, money }, ruler }
}

/** Amounts of money with the code of the currency, if the fonts lack its sign: the Thai baht is such a currency. */
function drawable(
  money: Formats["money"],
  locale: string,
  currency: string,
  ruler: Ruler,
): (amount: number) => string {
  const parts = new Intl.NumberFormat(locale, { style: "currency", currency }).formatToParts(0)
  const sign = parts.find(({ type }) => type === "currency")?.value ?? ""
  return ruler.canDraw(sign) ? money : (amount) => money(amount).replace(sign, currency)
}

/** The number of a document, or that it has none. A statement has its period instead. */
export const numberOf = ({ paper: { account, number }, texts, formats }: Sheet): string =>
  account ? `${formats.date(account.from)} – ${formats.date(account.to)}` : (number ?? texts.noNumber)

/** The most lines of an address. Further lines are joined to the last one. */
const mostAddressLines = 8

/** The lines of an address, without empty ones. */
export function addressRows(address: Paper["shippingAddress"], formats: Formats): string[] {
  const rows = addressLines(address, formats)
    .split("\n")
    .map((row) => row.trim())
    .filter((row) => row !== "")
  return rows.length <= mostAddressLines
    ? rows
    : [...rows.slice(0, mostAddressLines - 1), rows.slice(mostAddressLines - 1).join(", ")]
}
