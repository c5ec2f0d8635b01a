import { afterAll, expect, test } from "bun:test"
import { localDay, localMoment } from "./clock"

const before = process.env.TZ
afterAll(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

test.each([
  ["Pacific/Kiritimati", "2026-03-04T10:00:00.000Z"],
  ["Europe/Berlin", "2026-03-04T23:00:00.000Z"],
  ["UTC", "2026-03-05T00:00:00.000Z"],
  ["Pacific/Pago_Pago", "2026-03-05T11:00:00.000Z"],
])("A day begins and ends at midnight in the time zone of the user: %s.", (zone, begin) => {
  process.env.TZ = zone
  expect(localMoment("2026-03-05", "00:00:00.000")).toBe(begin)
  expect(localDay(begin)).toBe("2026-03-05")
  expect(localDay(Date.parse(begin) - 1)).toBe("2026-03-04")
  expect(localDay(localMoment("2026-03-05", "23:59:59.999"))).toBe("2026-03-05")
})
