import { factsOf, type Fact } from "../shown"
import type { Pen } from "./pen"
import type { Sheet } from "./sheet"
import { body, label, lineHeight, mm } from "./style"

/** A fact with more lines is printed over the width of the page, because the block of facts cannot be split. */
const mostLines = 3
const gap = 3 * mm
/** The width of the block in which the facts are printed beside the address. */
export const factsWidth = 65 * mm

const linesOf = ({ ruler }: Sheet, [name, value]: Fact): string[] =>
  ruler.lines(value, factsWidth - ruler.width(name, label) - gap, body)

/** The facts that are too long to be printed beside the address. */
export const longFacts = (sheet: Sheet): Fact[] =>
  factsOf(sheet).filter((fact) => linesOf(sheet, fact).length > mostLines)

/** The dates and references of the document: labels on the left, values on the right. */
export function factBlock(sheet: Sheet): { height: number; draw(pen: Pen, x: number, y: number): void } {
  const rows = factsOf(sheet)
    .map((fact) => ({ name: fact[0], lines: linesOf(sheet, fact) }))
    .filter(({ lines }) => lines.length <= mostLines)
  const step = lineHeight(body) + 1.5
  return {
    height: rows.reduce((height, { lines }) => height + lines.length * step, 0),
    draw: (pen, x, y) => {
      let at = y
      for (const { name, lines } of rows) {
        pen.text(name, x, at + (lineHeight(body) - lineHeight(label)) / 2 + 0.6, label)
        for (const line of lines) {
          pen.textTo(line, x + factsWidth, at, body)
          at += step
        }
      }
    },
  }
}
