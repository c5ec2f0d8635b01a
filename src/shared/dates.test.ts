import { expect, test } from "bun:test"
import { addDuration, dateIn, dayAt, daysBetween, endIn } from "./dates"

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

test.each([
  ["UTC", "2026-12-31T23:30:00.000Z", "2026-12-31"],
  ["Europe/Berlin", "2026-12-31T23:30:00.000Z", "2027-01-01"],
  ["America/New_York", "2027-01-01T04:59:59.999Z", "2026-12-31"],
])("The date in %s at %s is %s, also by the milliseconds.", (timeZone, timestamp, date) => {
  expect(dateIn(timeZone, timestamp)).toBe(date)
  expect(dateIn(timeZone, Date.parse(timestamp))).toBe(date)
})

test("A date is found by its year, month and day, which may be in another month or year.", () => {
  expect(dayAt(2026, 3, 5)).toBe("2026-03-05")
  expect(dayAt(2028, 3, 0)).toBe("2028-02-29")
  expect(dayAt(2026, 0, 1)).toBe("2025-12-01")
  expect(dayAt(2026, 13, 31)).toBe("2027-01-31")
  expect(dayAt(50, 1, 32)).toBe("0050-02-01")
})

test("Days between dates are counted across a change of the clock and of the year.", () => {
  expect(daysBetween("2026-12-31", "2027-01-01")).toBe(1)
  expect(daysBetween("2026-03-28", "2026-03-30")).toBe(2)
  expect(daysBetween("2026-03-30", "2026-03-28")).toBe(-2)
})

test("A duration is added by its months first, of which a short one ends earlier, and then by its days and hours.", () => {
  const at = "2027-01-31T09:00:00.000Z"
  const added = (...durations: string[]) => durations.map((duration) => addDuration(at, duration))
  expect(added("P1D", "P1W", "PT90M", "P1M", "P13M", "P1Y1M", "P1Y2M3DT4H5M6S")).toEqual([
    "2027-02-01T09:00:00.000Z",
    "2027-02-07T09:00:00.000Z",
    "2027-01-31T10:30:00.000Z",
    "2027-02-28T09:00:00.000Z",
    "2028-02-29T09:00:00.000Z",
    "2028-02-29T09:00:00.000Z",
    "2028-04-03T13:05:06.000Z",
  ])
  expect(added("", "P", "PT", "P1", "1M", "P-1D", "P1.5D", "P1DT", "P1H", "p1d", "P9999Y")).toEqual(
    Array(11).fill(null),
  )
})
