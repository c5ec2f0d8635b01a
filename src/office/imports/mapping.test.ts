import { expect, test } from "bun:test"
import { growth } from "../../../test/support/cpu"
import { bareForm, senseOf, titleForm } from "../sheets/title-form"
import type { ImportKind } from "./kind"
import { mappingOf } from "./mapping"

const names = Array.from({ length: 25 }, (_, i) => `field${i}`)
const kind = {
  name: "things",
  fields: names.map((name) => ({ name, type: "text", isRequired: false })),
  labels: {},
  storedSense: () => "net",
} as unknown as ImportKind

const made = new Map<number, Parameters<typeof mappingOf>[2]>()

/** The columns of a file whose titles have this length, as the thread that has read the file returns them. */
function columnsOf(length: number) {
  const name = `brutto ${"x ".repeat(length)}`.slice(0, length)
  const column = { name, form: titleForm(name), bare: bareForm(name), sense: senseOf(name) }
  const rest = { samples: [], decimals: { ".": 0, ",": 0 }, signs: [] }
  const columns = made.get(length) ?? Array.from({ length: 100 }, () => ({ ...column, ...rest }))
  made.set(length, columns)
  return columns
}

test("Mapping columns to fields takes no longer if their titles are long, because other requests wait for it.", () => {
  const grown = growth(
    (length) => mappingOf(kind, { mapping: {}, mode: "create" }, columnsOf(length)),
    20,
    200,
  )
  expect(grown).toBeLessThan(2)
})
