import { expect, test } from "bun:test"
import { rowPerLine, type ShownRecord } from "./records"

test("Each line is a row, with the rest of its document, and a document without lines has one row.", async () => {
  const batches = async function* () {
    yield [
      { id: "a", items: [{ n: 1 }, { n: 2 }] },
      { id: "b", items: [] },
    ]
    yield [{ id: "c", items: [{ n: 3 }] }]
  }
  const rows: ShownRecord[] = []
  for await (const some of rowPerLine(batches(), "items")) rows.push(...some)
  expect(rows).toEqual([
    { id: "a", items: { n: 1 } },
    { id: "a", items: { n: 2 } },
    { id: "b", items: null },
    { id: "c", items: { n: 3 } },
  ])
})
