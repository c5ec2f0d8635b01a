import { expect, test } from "bun:test"
import { mergeEvents, mergeWrites, type RecordEvent } from "./events"

const event = (type: string, over: Partial<RecordEvent> = {}): RecordEvent => ({
  kind: "items",
  id: "itm_1",
  type,
  version: 1,
  changed: [],
  ...over,
})
const typesOf = (events: RecordEvent[]) => mergeEvents(events).map(({ id, type }) => `${id} ${type}`)

test("Two updates of a record are one, with all changed fields and the latest version.", () => {
  const first = event("updated", { changed: ["itemName", "uom"] })
  const second = event("updated", { changed: ["uom", "currentStock"], version: 2 })
  expect(mergeEvents([first, second])).toEqual([
    event("updated", { changed: ["itemName", "uom", "currentStock"], version: 2 }),
  ])
})

test.each([
  [["created", "updated"], ["created"]],
  [["updated", "deleted"], ["deleted"]],
  [["created", "deleted"], []],
  [
    ["created", "issued", "updated", "issued"],
    ["created", "issued"],
  ],
  [
    ["updated", "paid"],
    ["updated", "paid"],
  ],
  [["paid"], ["paid"]],
  [
    ["paid", "issued"],
    ["paid", "issued"],
  ],
])("%j become %j.", (given, merged) => {
  expect(typesOf(given.map((type) => event(type)))).toEqual(merged.map((type) => `itm_1 ${type}`))
})

test("What a write does and reverses did not happen.", () => {
  const [low, enough] = [event("low-stock"), event("low-stock", { isReverse: true })]
  expect(typesOf([low, enough])).toEqual([])
  expect(typesOf([enough, low])).toEqual([])
  expect(typesOf([enough])).toEqual([])
  expect(typesOf([low, enough, event("updated"), low])).toEqual(["itm_1 updated", "itm_1 low-stock"])
})

test("Records keep the order in which they were first written, and the same id of another kind is another record.", () => {
  const other = { id: "itm_2" }
  const events = [event("updated"), event("created", other), event("low-stock"), event("updated", other)]
  expect(typesOf(events)).toEqual(["itm_1 updated", "itm_1 low-stock", "itm_2 created"])
  expect(typesOf([event("updated"), event("deleted", { kind: "imports" })])).toHaveLength(2)
})

test("Updates of figures in one commit are the last one of each record, with all changed fields.", () => {
  const figures = (version: number, field: string) =>
    event("updated", { version, changed: [field], isFigures: true })
  const writes = [
    { now: "1", events: [event("created", { id: "ord_1" }), figures(1, "currentStock")] },
    { now: "2", events: [event("updated", { version: 2, changed: ["itemName"] })] },
    { now: "3", events: [figures(2, "reservedStock"), event("low-stock")] },
    { now: "4", events: [event("created", { id: "ord_2" }), figures(2, "reservedStock")] },
  ]
  expect(
    mergeWrites(writes).map(({ now, id, type, version, changed }) => [now, id, type, version, changed]),
  ).toEqual([
    ["1", "ord_1", "created", 1, []],
    ["2", "itm_1", "updated", 2, ["itemName"]],
    ["3", "itm_1", "low-stock", 2, []],
    ["4", "ord_2", "created", 1, []],
    ["4", "itm_1", "updated", 2, ["currentStock", "reservedStock"]],
  ])
})
