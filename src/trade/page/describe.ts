import { t } from "./texts"
import { linesInWords } from "./lines-body"

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
