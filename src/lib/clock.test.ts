import { expect, test } from "bun:test"
import { endIn } from "./clock"

test.each([
  ["UTC", "2026-03-01", "2026-03-02T00:00:00.000Z"],
  ["Europe/Berlin", "2026-03-28", "2026-03-28T23:00:00.000Z"],
  ["Europe/Berlin", "2026-03-29", "2026-03-29T22:00:00.000Z"],
  ["America/New_York", "2026-11-01", "2026-11-02T05:00:00.000Z"],
  ["Pacific/Kiritimati", "2026-01-01", "2026-01-01T10:00:00.000Z"],
  ["Etc/GMT+12", "2026-12-31", "2027-01-01T12:00:00.000Z"],
])("In %s, the day %s ends at %s.", (timeZone, date, end) => {
  expect(endIn(timeZone, date)).toBe(end)
})
