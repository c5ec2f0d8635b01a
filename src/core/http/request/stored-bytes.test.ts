import { expect, test } from "bun:test"
import { storedBytes } from "./idempotency"

const hour = 60 * 60_000

test("The stored responses of a user are limited for a day, and those of another user count by themselves.", () => {
  let now = 0
  const count = storedBytes(100, () => now)
  count("usr_1", 60)
  now = hour
  count("usr_1", 40)
  expect(() => count("usr_1", 1)).toThrow("too large")
  count("usr_2", 100)
  now = 24 * hour
  count("usr_1", 60)
  expect(() => count("usr_1", 1)).toThrow("too large")
  now = 25 * hour
  count("usr_1", 40)
})
