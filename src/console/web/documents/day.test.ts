import { expect, test } from "bun:test"
import { orderOfParts, readDay } from "./day"

const [german, american] = [orderOfParts("de-DE"), orderOfParts("en-US")]

test("A date is read in the order in which the person's system writes it.", () => {
  expect(readDay("5.3.2026", german)).toBe("2026-03-05")
  expect(readDay("3/5/26", american)).toBe("2026-03-05")
})

test("Year, month and day with dashes are understood everywhere.", () => {
  expect(readDay(" 2026-03-05 ", german)).toBe("2026-03-05")
})

test("A month may be named.", () => {
  expect(readDay("Mar 5, 2026", american)).toBe("2026-03-05")
})

test("Half a date, and one that does not exist, is none yet.", () => {
  for (const typed of ["", "5", "5.3", "Mar 5", "2026-02-30", "31.4.2026", "tomorrow"])
    expect(readDay(typed, german)).toBeNull()
})
