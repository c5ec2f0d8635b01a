import { number } from "../../console/format"
import { t } from "./texts"

type Document = {
  customer: string
  customerName: string
  items: readonly { item: string | null; itemCode: string | null }[]
}

/** Describes lines and customers for the comparison of two versions, with the names from the given documents. */
export const describeDocument =
  (...known: readonly (Document | null)[]) =>
  (field: string, value: unknown): string | undefined => {
    const documents = known.filter((each) => each !== null)
    if (field === "customer") return documents.find(({ customer }) => customer === value)?.customerName
    if (field !== "items" || !Array.isArray(value) || value.length === 0) return undefined
    const codes = new Map(documents.flatMap(({ items }) => items.map((line) => [line.item, line.itemCode])))
    return linesInWords(value, (item) => codes.get(item) ?? t(($) => $.documents.anotherItem))
  }

/** A line of a request, or of a response. */
type LineInWords = {
  item?: string | null
  itemCode?: string | null
  description?: string | null
  quantity?: unknown
  rate?: unknown
  discount?: unknown
  discountAmount?: unknown
}

/** Text that is not a number is shown as typed. */
const figure = (value: unknown): string =>
  typeof value === "string" ? value : number(value as number | null | undefined)

/** Describes the lines of a request or a response in one short text. */
const linesInWords = (lines: readonly LineInWords[], codeOf: (item: string) => string): string =>
  lines
    .map((line) => {
      const { quantity, rate, discount, discountAmount } = line
      const item = line.itemCode ?? line.description ?? codeOf(line.item ?? "")
      const told = { quantity: figure(quantity), item, rate: figure(rate) }
      if (discount)
        return t(($) => $.documents.discountedLineInWords, { ...told, discount: figure(discount) })
      return discountAmount
        ? t(($) => $.documents.amountOffLineInWords, { ...told, discount: figure(discountAmount) })
        : t(($) => $.documents.lineInWords, told)
    })
    .join("; ")
