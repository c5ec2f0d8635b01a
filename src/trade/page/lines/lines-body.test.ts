import { expect, test } from "bun:test"
import { blankLine, freeLine, type LineValues } from "./line-values"
import { linesBody } from "./lines-body"

const line = (over: Partial<LineValues>): LineValues => ({ ...blankLine(), ...over })
const free = (over: Partial<LineValues>): LineValues => ({ ...freeLine(), ...over })

test("Lines that say nothing are not saved, wherever they are", () => {
  const desk = line({ item: "itm_1", rate: 5 })
  const engraving = free({ description: "Engraving", rate: 40 })
  const emptied = free({ id: "inl_1", quantity: "", discount: "" })
  const lines = [freeLine(), blankLine(), desk, free({ description: " " }), engraving, emptied, blankLine()]
  expect(linesBody(lines, 2)).toMatchObject([{ item: "itm_1" }, { description: "Engraving" }])
  expect(linesBody([freeLine()], 2)).toEqual([])
})

test("A line in which something is typed is sent, so that the server says what it lacks", () => {
  const typed = [free({ rate: 5 }), line({ rate: 5 }), line({ quantity: 7 }), free({ discount: 3 })]
  expect(linesBody(typed, 2)).toHaveLength(4)
})
