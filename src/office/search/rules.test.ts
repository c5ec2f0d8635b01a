import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { foldTyped, typedWords } from "../../core/search/search"
import type { Candidate } from "./model"
import { scoreOf, scores } from "./rules"

const row = (title: string, code: string | null = null, more = ""): Candidate => ({
  seq: 1,
  id: "itm_1",
  code,
  title,
  more,
})
const score = (typed: string, candidate: Candidate, isCorrected = false) =>
  scoreOf(candidate, { typed: foldTyped(typed), words: typedWords(typed), isCorrected })

/** Rows that the same text finds, the better match first. */
const ranking: [typed: string, rows: Candidate[]][] = [
  [
    "desk",
    [
      row("A very long name that says nothing of it", "DESK"),
      row("Desk"),
      row("Chair", "DESK-120"),
      row("Desk lamp"),
      row("Standing desk"),
      row("A deskpad"),
      row("Chair", "X120DESK"),
      row("Xdesk"),
      row("Chair", "C-1", "for the desk"),
    ],
  ],
  [
    "blue desk",
    [row("Blue desk"), row("Blue desks"), row("Desk, blue"), row("Bluest desks"), row("Xblue xdesk")],
  ],
]

describe("The score of a match", () => {
  test.each(ranking)("The rows that %p finds are in the expected order.", (typed, rows) => {
    const scores = rows.map((each) => score(typed, each))
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(new Set(scores).size).toBe(scores.length)
  })

  test("A row that lacks one of the words has the score 0.", () => {
    expect(score("blue desk", row("Desk", "D-1", "red"))).toBe(0)
    expect(score("desk", row("Chair"))).toBe(0)
    expect(score("desk", row("Chair", null, "esk d"))).toBe(0)
  })

  test("Words may be spread over code, name and further fields.", () => {
    expect(score("d-1 desk", row("Desk", "D-1"))).toBeGreaterThan(0)
    expect(score("desk oak", row("Desk", "D-1", "Oak"))).toBeGreaterThan(0)
  })

  test("Case and accents make no difference.", () => {
    expect(score("CAFÉ", row("cafe"))).toBe(score("cafe", row("Café")))
    expect(score("strasse", row("Straße"))).toBe(scores.title)
  })

  test("Of two names with the same beginning, the longer one never scores higher.", () => {
    fc.assert(
      fc.property(fc.nat(40), fc.integer({ min: 1, max: 10 }), (more, extra) => {
        const [short, long] = [` ${"x".repeat(more)}`, ` ${"x".repeat(more + extra)}`]
        expect(score("desk", row(`Desk${long}`))).toBeLessThanOrEqual(score("desk", row(`Desk${short}`)))
      }),
    )
  })

  test("A match in a very long name still scores higher than the next kind of match.", () => {
    const long = " x".repeat(2_000)
    expect(score("desk", row(`Desk${long}`))).toBeGreaterThan(scores.wholeWords)
    expect(score("desk", row(`A desk${long}`))).toBeGreaterThan(scores.wordStarts)
    expect(score("desk", row(`A desks${long}`))).toBeGreaterThan(scores.insideCode)
  })

  test("A number is found in further fields with and without the punctuation between its parts.", () => {
    const phone = row("Nordlicht", "C-1", "+49 30/1234-567")
    for (const typed of ["49301234567", "1234567", "1234-567"]) expect(score(typed, phone)).toBeGreaterThan(0)
    expect(score("1234568", phone)).toBe(0)
  })
})

describe("Any score", () => {
  const word = fc.stringMatching(/^[a-cA-Cä]{1,3}$/)
  const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "))
  const candidate = fc
    .record({ title: phrase, code: fc.option(word), more: fc.option(phrase, { nil: "" }) })
    .map(({ title, code, more }) => row(title, code, more))

  test("It is 0, or above 0 and at most 1, with at most three decimals.", () => {
    fc.assert(
      fc.property(phrase, candidate, fc.boolean(), (typed, each, isCorrected) => {
        const found = score(typed, each, isCorrected)
        expect(found).toBeWithin(0, 1.0001)
        expect(Math.round(found * 1000) / 1000).toBe(found)
      }),
    )
  })

  test("It is positive exactly when every word occurs somewhere.", () => {
    fc.assert(
      fc.property(phrase, candidate, (typed, each) => {
        const all = foldTyped(
          `${each.title} ${each.code ?? ""} ${each.more} ${each.more.replaceAll(" ", "")}`,
        )
        expect(score(typed, each) > 0).toBe(typedWords(typed).every((part) => all.includes(part)))
      }),
      { numRuns: 500 },
    )
  })

  test("A correction lowers it, and does not change the order of rows.", () => {
    fc.assert(
      fc.property(phrase, candidate, candidate, (typed, a, b) => {
        const [plainA, plainB] = [score(typed, a), score(typed, b)]
        const [correctedA, correctedB] = [score(typed, a, true), score(typed, b, true)]
        if (plainA > 0) expect(correctedA).toBeWithin(0.0001, plainA)
        else expect(correctedA).toBe(0)
        if (plainA > plainB) expect(correctedA).toBeGreaterThanOrEqual(correctedB)
      }),
    )
  })
})
