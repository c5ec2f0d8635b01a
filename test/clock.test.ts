import { expect, test } from "bun:test"
import { dateIn, today, wallClock } from "../src/lib/clock"

test("The wall clock formats the current millisecond.", () => {
  for (let i = 0; i < 20_000; i++) {
    const before = Date.now()
    const shown = wallClock()
    const after = Date.now()
    if (before === after) expect(shown).toBe(new Date(before).toISOString())
  }
})

test("The date is the one of the wall clock, in UTC and in a time zone.", () => {
  expect(today()).toBe(wallClock().slice(0, 10))
  expect(dateIn("UTC", "2026-12-31T23:30:00.000Z")).toBe("2026-12-31")
  expect(dateIn("Europe/Berlin", "2026-12-31T23:30:00.000Z")).toBe("2027-01-01")
  expect(dateIn("America/New_York", "2027-01-01T04:59:59.999Z")).toBe("2026-12-31")
})
