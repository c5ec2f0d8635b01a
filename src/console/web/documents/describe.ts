import { linesInWords } from "./line-values"

type Named = { item: string; itemCode: string }

/** Lines in words for comparing two versions: their items by the codes that are known here. */
export const describeLines =
  (...known: readonly (readonly Named[])[]) =>
  (field: string, value: unknown): string | undefined => {
    if (field !== "items") return undefined
    const codes = new Map(known.flat().map(({ item, itemCode }) => [item, itemCode]))
    return linesInWords(value, (item) => codes.get(item) ?? "another item")
  }
