import { expect, test } from "bun:test"
import { dayReader } from "./day"

const [german, american, french] = [dayReader("de-DE"), dayReader("en-US"), dayReader("fr-FR")]

test("Day, month and year are read in the order of the user's locale.", () => {
  expect(german("5.3.2026")).toBe("2026-03-05")
  expect(american("3/5/26")).toBe("2026-03-05")
})

test("The format YYYY-MM-DD is accepted in every locale.", () => {
  for (const read of [german, american, french, dayReader("th-TH")])
    expect(read(" 2026-03-05 ")).toBe("2026-03-05")
})

test("The order of other locales is accepted if the date has only one meaning.", () => {
  expect(american("20.11.2026")).toBe("2026-11-20")
  expect(american("20/11/2026")).toBe("2026-11-20")
  expect(german("11/20/2026")).toBe("2026-11-20")
  expect(german("2026/11/20")).toBe("2026-11-20")
  expect(american("5.11.2026")).toBe("2026-05-11")
  expect(american("31.2.2026")).toBeNull()
  expect(american("20.11.26")).toBeNull()
})

test("A month can be a name, in the user's language or in English.", () => {
  expect(american("Mar 5, 2026")).toBe("2026-03-05")
  expect(german("5 March 2026")).toBe("2026-03-05")
  for (const typed of ["5 févr. 2026", "5 fevr 2026", "5 février 2026", "5 Fév 2026"])
    expect(french(typed)).toBe("2026-02-05")
})

test("A prefix that matches several months is not accepted.", () => {
  expect(french("5 jui 2026")).toBeNull()
  expect(french("5 juil 2026")).toBe("2026-07-05")
})

test("The dates that the console shows can be typed again, in many languages.", () => {
  const locales = "en-US en-GB de-DE fr-FR es-ES pt-BR it-IT nl-NL pl-PL cs-CZ hu-HU sv-SE fi-FI da-DK ru-RU"
  for (const locale of `${locales} el-GR tr-TR ja-JP zh-CN ko-KR vi-VN`.split(" ")) {
    const read = dayReader(locale)
    for (const dateStyle of ["short", "medium", "long"] as const)
      for (let month = 1; month <= 12; month++) {
        const day = `2026-${String(month).padStart(2, "0")}-15`
        const shown = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: "UTC" }).format(new Date(day))
        expect([locale, shown, read(shown)]).toEqual([locale, shown, day])
      }
  }
})

test("Day and month alone are in the nearest year, and in a field of the past not after its last day.", () => {
  const near = { today: "2026-11-19" }
  for (const [typed, day] of [
    ["15.10.", "2026-10-15"],
    ["15.10", "2026-10-15"],
    ["2.1.", "2027-01-02"],
    ["2/1", "2027-01-02"],
    ["3. Januar", "2027-01-03"],
    ["31.4.", null],
    ["15.13.", null],
  ] as const)
    expect([typed, german(typed, near)]).toEqual([typed, day])
  expect(american("1/2", near)).toBe("2027-01-02")
  expect(american("15.10.", near)).toBe("2026-10-15")
  const past = { ...near, latest: near.today }
  expect(german("2.1.", past)).toBe("2026-01-02")
  expect(german("19.11.", past)).toBe("2026-11-19")
  expect(german("29.2.", { today: "2027-11-19" })).toBe("2028-02-29")
})

test("A date without signs is read in the order of the user's locale.", () => {
  for (const [read, typed, day] of [
    [german, "191126", "2026-11-19"],
    [german, " 19112026 ", "2026-11-19"],
    [german, "050326", "2026-03-05"],
    [german, "111926", null],
    [german, "11192026", null],
    [german, "310426", null],
    [german, "1911202", null],
    [american, "111926", "2026-11-19"],
    [american, "11192026", "2026-11-19"],
    [dayReader("sv-SE"), "261119", "2026-11-19"],
    [dayReader("sv-SE"), "20261119", "2026-11-19"],
    [dayReader("th-TH"), "19112026", null],
  ] as const)
    expect([typed, read(typed)]).toEqual([typed, day])
})

test("A day alone is in this month, and in a field of the past not after its last day.", () => {
  const near = { today: "2026-11-19" }
  for (const [typed, day, past] of [
    ["20", "2026-11-20", "2026-10-20"],
    ["20.", "2026-11-20", "2026-10-20"],
    ["19", "2026-11-19", "2026-11-19"],
    ["5", "2026-11-05", "2026-11-05"],
    ["30", "2026-11-30", "2026-10-30"],
    ["31", null, "2026-10-31"],
    ["0", null, null],
    ["32", null, null],
  ] as const)
    for (const read of [german, american])
      expect([typed, read(typed, near), read(typed, { ...near, latest: near.today })]).toEqual([
        typed,
        day,
        past,
      ])
  const inJanuary = { today: "2027-01-10", latest: "2027-01-10" }
  expect(german("20", inJanuary)).toBe("2026-12-20")
  expect(german("20", { today: "2026-11-19", latest: "2026-05-01" })).toBeNull()
})

test("Incomplete dates and dates that do not exist are not accepted.", () => {
  for (const typed of ["", "5", "5.3", "Mar 5", "2026-02-30", "31.4.2026", "tomorrow", "5 tomorrow 2026"])
    expect(german(typed)).toBeNull()
})
