import { shown } from "../../console/parts/shown"
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

/** A figure of a line. Text that is not a number is shown as typed. */
const figure = (field: keyof LineInWords, value: unknown): string => shown(field, value, "items")

/** Describes the lines of a request or a response in one short text. */
const linesInWords = (lines: readonly LineInWords[], codeOf: (item: string) => string): string =>
  lines
    .map((line) => {
      const { quantity, rate, discount, discountAmount } = line
      const item = line.itemCode ?? line.description ?? codeOf(line.item ?? "")
      const told = { quantity: figure("quantity", quantity), item, rate: figure("rate", rate) }
      if (discount)
        return t(($) => $.documents.discountedLineInWords, {
          ...told,
          discount: figure("discount", discount),
        })
      return discountAmount
        ? t(($) => $.documents.amountOffLineInWords, {
            ...told,
            discount: figure("discountAmount", discountAmount),
          })
        : t(($) => $.documents.lineInWords, told)
    })
    .join("; ")
