import { expect, test } from "bun:test"
import { woven } from "./woven"

const at = (day: number, id = `${day}`) => ({ id, createdAt: `2026-11-0${day}T00:00:00.000Z` })
const ids = (all: ReturnType<typeof woven>) =>
  all.map((each) => ("message" in each ? `m${each.message.id}` : each.entry.id))

test("Entries and messages are in one order, the newest first.", () => {
  expect(ids(woven([at(4), at(2)], [at(3), at(1)], true))).toEqual(["4", "m3", "2", "m1"])
})

test("A message stands above the entry of the request that has written it.", () => {
  expect(ids(woven([at(2), at(1)], [at(2)], true))).toEqual(["m2", "2", "1"])
})

test("Of a history that goes on, older messages wait for the entries of their time.", () => {
  expect(ids(woven([at(4), at(3)], [at(5), at(1)], false))).toEqual(["m5", "4", "3"])
  expect(ids(woven([], [at(1)], false))).toEqual(["m1"])
})
