import { amountOf, columnsIn, discountOf } from "../shown"
import type { PaperLine } from "../model"
import type { Ruler } from "./pen"
import type { Sheet } from "./sheet"
import { body, contentWidth, label, left, mm, soft, type Style } from "./style"

/** A column of the line table. `cells` has the text of each line. */
export type Column = {
  heading: string
  cells: string[]
  isFigure: boolean
  x: number
  width: number
  style: Style
}

/** A column before its place is known. */
type Draft = Pick<Column, "heading" | "cells" | "isFigure" | "style"> & {
  /** The widest that it gets, in points. The column of the item gets what is left. */
  most: number | "rest"
}

const gap = 4 * mm
/** The item is never narrower than this, if smaller letters allow it. */
const leastItemWidth = 48 * mm
/** The sizes to try, in points, when the figures are very long. */
const sizes = [9, 8, 7, 6] as const

/** Chooses the columns and their widths. The columns for code, discount and tax exist only if a line has one. */
export function columnsOf(sheet: Sheet): Column[] {
  const drafts = [...itemDrafts(sheet), ...figureDrafts(sheet)]
  const widths = drafts.map((draft) => (draft.most === "rest" ? 0 : widestOf(draft, sheet.ruler)))
  const candidates = sizes.map((size) => placed(sheet.ruler, drafts, widths, size))
  const isWideEnough = (columns: Column[]) =>
    columns.every(({ width }, i) => drafts[i]?.most !== "rest" || width >= leastItemWidth)
  return candidates.find(isWideEnough) ?? (candidates.at(-1) as Column[])
}

function itemDrafts({ paper: { lines }, texts }: Sheet): Draft[] {
  const code: Draft = {
    heading: texts.code,
    cells: lines.map(({ itemCode }) => itemCode ?? ""),
    isFigure: false,
    style: { ...body, color: soft },
    most: 28 * mm,
  }
  const item: Draft = {
    heading: texts.item,
    cells: lines.map(({ itemName, description }) => itemName ?? description ?? ""),
    isFigure: false,
    style: body,
    most: "rest",
  }
  return columnsIn(lines).hasCode ? [code, item] : [item]
}

function figureDrafts({ paper, texts, formats }: Sheet): Draft[] {
  const { lines, currency, pricesIncludeTax } = paper
  const figure = (heading: string, text: (line: PaperLine) => string, most = 40 * mm): Draft => ({
    heading,
    cells: lines.map(text),
    isFigure: true,
    style: body,
    most,
  })
  /** An amount of a credit note has no quantity, so it has no price and no discount either. */
  const counted = (heading: string, text: (line: PaperLine) => string, most?: number): Draft =>
    figure(heading, (line) => (line.isAmount ? "" : text(line)), most)
  const quantity = ({ quantity: count, uom }: PaperLine) => `${formats.quantity(count)} ${uom}`
  const { hasDiscount, hasTax } = columnsIn(lines)
  return [
    counted(texts.quantity, quantity, 28 * mm),
    counted(texts.rate, ({ rate }) => formats.rate(rate)),
    ...(hasDiscount ? [counted(texts.discount, (line) => discountOf(line, formats))] : []),
    ...(hasTax ? [figure(texts.taxRate, ({ taxRate }) => formats.percent(taxRate))] : []),
    figure(`${texts.amount} ${currency}`, (line) => formats.amount(amountOf(line, pricesIncludeTax))),
  ]
}

/** The width of the widest cell at a size of one point. */
const widestOf = ({ cells, style }: Draft, ruler: Ruler): number =>
  cells.reduce((widest, cell) => Math.max(widest, ruler.width(cell, { ...style, size: 1 })), 0)

/** Gives the columns the width of their widest cell, and the rest of the page to the item. */
function placed(ruler: Ruler, drafts: Draft[], widest: readonly number[], size: number): Column[] {
  const widths = drafts.map(({ heading, most }, i) =>
    most === "rest"
      ? 0
      : Math.max(ruler.width(heading, label), Math.min((widest[i] ?? 0) * size, most)) + 0.1,
  )
  const taken = widths.reduce((sum, width) => sum + width + gap, -gap)
  let x = left
  return drafts.map(({ heading, cells, isFigure, style, most }, i) => {
    const width = most === "rest" ? Math.max(contentWidth - taken, 20 * mm) : (widths[i] ?? 0)
    const column = { heading, cells, isFigure, x, width, style: { ...style, size } }
    x += width + gap
    return column
  })
}
