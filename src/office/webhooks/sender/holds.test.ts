import { expect, test } from "bun:test"
import { openHolds } from "./holds"

test("a webhook whose time ends while others are looked at is held until it is released, and has a timer", () => {
  let now = 0
  const holds = openHolds(() => now)
  holds.hold("whk_1")
  holds.release()
  now = 5_000
  expect([holds.isHeld("whk_1"), holds.left()]).toEqual([true, 0])
  holds.release()
  expect([holds.isHeld("whk_1"), holds.left()]).toEqual([false, Infinity])
})

test("the time doubles with each failure, and a success ends that", () => {
  const holds = openHolds(() => 0)
  const waits = Array.from({ length: 6 }, () => {
    holds.hold("whk_1")
    return holds.left()
  })
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  holds.end("whk_1")
  holds.hold("whk_1")
  expect(holds.left()).toBe(5_000)
})
