import { expect, test } from "bun:test"
import { markOf } from "./reprice"

test("a price that stays the same is unchanged", () => {
  expect(markOf(10, 10, { percent: 0.01 })).toBe("unchanged")
  expect(markOf(0, 0, { percent: 10 })).toBe("unchanged")
})

test("a price that moves in the other direction is marked", () => {
  expect(markOf(10, 9.99, { percent: 1 })).toBe("falls")
  expect(markOf(9.8, 9.99, { amount: -0.1 })).toBe("rises")
})

test("a price that changes by more than twice what was asked is marked", () => {
  expect(markOf(0.2, 0.99, { percent: 1 })).toBe("large")
  expect(markOf(10, 7.99, { amount: -1 })).toBe("large")
  expect(markOf(10, 8, { amount: -1 })).toBeNull()
  expect(markOf(0.05, 0.06, { percent: 10 })).toBeNull()
  expect(markOf(1.1, 1.32, { percent: 10 })).toBeNull()
})

test("a price that is only rounded is not marked", () => {
  expect(markOf(10.49, 10.99, { percent: 0 })).toBeNull()
  expect(markOf(10.49, 9.99, { amount: 0 })).toBeNull()
})
