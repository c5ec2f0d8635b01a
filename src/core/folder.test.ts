import { expect, test } from "bun:test"
import { rightsOf } from "../shared/rights"
import { plain } from "./folder"
import { defineResource } from "./kind/define"
import { readOnly, required } from "./kind/field"
import { code, text } from "./kind/text-field"
import type { TableStore } from "./store/table-store"
import type { Tx } from "./write/writer"

const machines = defineResource({
  name: "machines",
  table: "machines",
  idPrefix: "mac",
  noun: "machine",
  title: "Machine",
  about: "",
  rights: rightsOf("items"),
  numbers: { field: "machineNumber", prefix: "M", format: "M-{###}", german: "M-{###}" },
  search: [],
  fields: { machineNumber: readOnly(code("M-001")), name: required(text()) },
})

test("A plain kind with numbers gives one to each new record, and to no invalid one.", () => {
  const store = { insert: (_: Tx, row: unknown) => row, toApi: (row: unknown) => row, takenFields: () => [] }
  const tx = { now: "2026-03-01T00:00:00.000Z", audit: () => {} } as unknown as Tx
  const given: string[] = []
  const { create, read } = plain(machines).service({
    storeOf: () => store as unknown as TableStore<never>,
    nextNumber: (_, kind) => {
      const number = `${kind.numbers.prefix}-00${given.push(kind.name)}`
      return { number, series: "M", counter: given.length }
    },
  })
  expect(() => create(tx, read({}))).toThrow("The machine has invalid values.")
  expect(create(tx, read({ name: "Saw" }))).toMatchObject({ name: "Saw", machineNumber: "M-001" })
  expect(create(tx, read({ name: "Lathe" }))).toMatchObject({ machineNumber: "M-002" })
})
