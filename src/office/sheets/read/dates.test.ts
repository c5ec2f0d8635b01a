import { describe, expect, test } from "bun:test"
import type { DateOrder } from "../model"
import { dateFault, dateOfSerial, dateOrderVotes, isAmbiguousDate, isMonthFirst, parseDate } from "./dates"

const recognized = (...cells: string[]): DateOrder => {
  const votes = dateOrderVotes()
  for (const cell of cells) votes.add(cell)
  return votes.result()
}

describe("A date", () => {
  test("It is read in many notations.", () => {
    const notations: [string, DateOrder][] = [
      ["2026-03-01", "dmy"],
      ["2026/3/1", "mdy"],
      ["20260301", "dmy"],
      ["2026-03-01T10:30:00.000Z", "ymd"],
      ["2026-03-01 00:00:00", "ymd"],
      ["01.03.2026", "dmy"],
      ["1.3.26", "dmy"],
      ["1. 3. 2026", "dmy"],
      ["01.03.2026 00:00", "ymd"],
      ["01.03.2026", "mdy"],
      ["01/03/2026", "dmy"],
      ["01-03-2026", "dmy"],
      ["03/01/2026", "mdy"],
      ["3/1/26 12:00 AM", "mdy"],
      ["26-03-01", "ymd"],
    ]
    for (const [text, order] of notations)
      expect([text, parseDate(text, order)]).toEqual([text, "2026-03-01"])
  })

  test("One with a year of two digits is in this century or the last.", () => {
    expect(parseDate("1.3.68", "dmy")).toBe("2068-03-01")
    expect(parseDate("1.3.69", "dmy")).toBe("1969-03-01")
  })

  test("It must exist in the calendar.", () => {
    expect(parseDate("29.02.2028", "dmy")).toBe("2028-02-29")
    for (const text of [
      "29.02.2026",
      "31.04.2026",
      "00.01.2026",
      "01.13.2026",
      "20261301",
      "1.3.126",
      "1.3.6",
    ])
      expect(parseDate(text, "dmy")).toBeNull()
  })

  test("One that is wrong is told with the reason.", () => {
    expect(dateFault("29.02.2026", "dmy")).toBe('"29.02.2026" is not a date in the calendar.')
    expect(dateFault("soon", "dmy")).toBe('"soon" is not a date.')
    expect(dateFault("03/25/2026", "dmy")).toBe(
      '"03/25/2026" is not a date: dates of this file are in the order day, month, year.',
    )
  })

  test("One that can be several days is ambiguous.", () => {
    for (const text of ["26-02-01", "03/04/2026", "03/04/26", "01-02-03", "05/05/26"])
      expect([text, isAmbiguousDate(text)]).toEqual([text, true])
    for (const text of [
      "2026-02-01",
      "01.02.26",
      "26.02.01",
      "03/25/26",
      "05/05/2026",
      "25/03/2026",
      "20260201",
    ])
      expect([text, isAmbiguousDate(text)]).toEqual([text, false])
  })

  test("One with points begins with the day.", () => {
    expect(["02.13.2026", "2.13.26"].map(isMonthFirst)).toEqual([true, true])
    expect(["32.13.2026", "13.02.2026 25", "02/13/2026"].map(isMonthFirst)).toEqual([false, false, false])
  })

  test("One of Excel is a number of days.", () => {
    expect([1, 59, 61, 46082, 46082.75, 2_958_465].map((serial) => dateOfSerial(serial))).toEqual([
      "1900-01-01",
      "1900-02-28",
      "1900-03-01",
      "2026-03-01",
      "2026-03-01",
      "9999-12-31",
    ])
    expect([0, -1, 0.5, 2_958_466, Number.NaN].map((serial) => dateOfSerial(serial))).toEqual(
      Array.from({ length: 5 }, () => null),
    )
    expect(dateOfSerial(44_620, true)).toBe("2026-03-01")
  })
})

describe("The order of dates", () => {
  test("It is recognized by the values.", () => {
    expect(recognized("2026-03-01")).toBe("ymd")
    expect(recognized("01.03.2026")).toBe("dmy")
    expect(recognized("1.3.26")).toBe("dmy")
    expect(recognized("03/04/2026", "03/25/2026")).toBe("mdy")
    expect(recognized("03/04/2026", "25/03/2026")).toBe("dmy")
    expect(recognized("2026-03-01", "03/25/2026")).toBe("mdy")
  })

  test("It is told by dates that have only one, unless they contradict each other.", () => {
    const isTold = (...cells: string[]): boolean => {
      const votes = dateOrderVotes()
      for (const cell of cells) votes.add(cell)
      return votes.isTold()
    }
    expect(isTold("03/04/26", "03/25/26")).toBe(true)
    expect(recognized("03/04/26", "03/25/26")).toBe("mdy")
    expect(recognized("69-02-01", "26-02-01")).toBe("ymd")
    expect(isTold("69-02-01", "26-02-01")).toBe(true)
    for (const cells of [
      ["26-02-01"],
      ["2026-02-01", "26-02-01"],
      ["01.02.2026"],
      ["03/25/26", "25/03/2026"],
    ])
      expect([cells, isTold(...cells)]).toEqual([cells, false])
  })

  test("It is day, month, year when nothing else is proved.", () => {
    expect(recognized("03/04/2026")).toBe("dmy")
    expect(recognized("2026-03-01", "03/04/2026")).toBe("dmy")
    expect(recognized("a", "12.5", "1.2.3", "192.168.1.1")).toBe("dmy")
  })
})

test("A date without a year is the nearest one, and not after the last one that the field can have.", () => {
  const near = { today: "2026-11-19" }
  expect(parseDate("15.10.", "mdy", near)).toBe("2026-10-15")
  expect(parseDate("2.1.", "dmy", near)).toBe("2027-01-02")
  expect(parseDate("2.1.", "dmy", { ...near, latest: near.today })).toBe("2026-01-02")
  expect(parseDate("10/15", "mdy", near)).toBe("2026-10-15")
  expect(parseDate("31.02.", "dmy", near)).toBeNull()
  expect(parseDate("15.10.", "dmy")).toBeNull()
  expect([isAmbiguousDate("3/4"), isAmbiguousDate("15/10"), isAmbiguousDate("3.4.")]).toEqual([
    true,
    false,
    false,
  ])
})
