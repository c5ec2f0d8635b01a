import { expect, test } from "bun:test"
import { vocabulary } from "./vocabulary"

const atOnce = async () => {}

/** A word of letters only, different for each number. */
const wordOf = (n: number) =>
  `w${[...n.toString(26)].map((digit) => String.fromCharCode(97 + parseInt(digit, 26))).join("")}`

function learned() {
  const words = vocabulary()
  words.finishTable("orders")
  words.finish()
  return words
}

test("a word is removed when the last record that uses it was updated or deleted", async () => {
  const words = learned()
  words.change("orders", 1, null, "Zanzibar lamp")
  words.change("orders", 2, null, "Zanzibar chair")
  await words.settle(atOnce)
  expect(await words.near("zanzibarr", 6, atOnce)).toEqual(["zanzibar"])
  words.change("orders", 1, "Zanzibar lamp", "Lisbon lamp")
  expect(words.has("zanzibar")).toBeTrue()
  words.change("orders", 2, "Zanzibar chair", null)
  expect([words.has("zanzibar"), words.has("lisbon"), words.has("lamp"), words.has("chair")]).toEqual([
    false,
    true,
    true,
    false,
  ])
  await words.settle(atOnce)
  expect([await words.near("zanzibarr", 6, atOnce), await words.near("lisbonn", 6, atOnce)]).toEqual([
    [],
    ["lisbon"],
  ])
})

test("only the nearest words are returned, at most as many as wanted, and never the word itself", async () => {
  const words = learned()
  words.change("orders", 1, null, "standing standings landing stand standin ubung dog")
  await words.settle(atOnce)
  expect(await words.near("standng", 6, atOnce)).toEqual(["standing"])
  expect(await words.near("standing", 6, atOnce)).toEqual(["standings", "standin"])
  expect(await words.near("standing", 1, atOnce)).toEqual(["standings"])
  expect(await words.near("sxandxng", 6, atOnce)).toEqual(["standing"])
  expect(await words.near("lampe", 6, atOnce)).toEqual([])
})

test("two exchanged letters are corrected, also in a word of three letters", async () => {
  const words = learned()
  words.change("orders", 1, null, "standing standng dog")
  await words.settle(atOnce)
  expect(await words.near("standign", 6, atOnce)).toEqual(["standing"])
  expect(await words.near("dgo", 6, atOnce)).toEqual(["dog"])
  expect(await words.near("dig", 6, atOnce)).toEqual([])
})

test("stores at most 200,000 words, and then excludes no word that it may not know", () => {
  const words = learned()
  for (let record = 0; record < 250; record++)
    words.change(
      "orders",
      record,
      null,
      Array.from({ length: 900 }, (_, i) => wordOf(record * 900 + i)).join(" "),
    )
  expect(words.size()).toBe(200_000)
  expect([words.isPart("qqqqqqqq"), words.longer("qqqqqqqq")]).toEqual([true, null])
})

test("the words of one record do not accumulate over many updates", () => {
  const words = learned()
  let before: string | null = null
  for (let round = 0; round < 300; round++) {
    const after = Array.from({ length: 900 }, (_, i) => wordOf(round * 900 + i)).join(" ")
    words.change("orders", 1, before, after)
    before = after
  }
  expect(words.size()).toBe(900)
  words.change("orders", 1, before, null)
  expect([words.size(), words.isPart("qqqqqqqq")]).toEqual([0, false])
})

test("a record that is written before it is learned at startup is not counted twice", () => {
  const words = vocabulary()
  words.change("orders", 5, null, "early bird")
  expect(words.size()).toBe(0)
  words.learn("orders", 5, "early bird")
  words.change("orders", 5, "early bird", null)
  expect(words.size()).toBe(0)
})

test("the longer words that begin with a word are known, unless one has digits or there are too many", async () => {
  const words = learned()
  words.change("orders", 1, null, "hammer hammerhead hammering sham lamp12 lamp lampshade")
  expect(words.longer("hammer")).toBeNull()
  await words.settle(atOnce)
  expect(words.longer("hammer")?.toSorted()).toEqual(["hammerhead", "hammering"])
  expect(words.longer("hammerhead")).toEqual([])
  expect(words.longer("lamp")).toBeNull()
  expect(words.longer("ham")).toBeNull()
  words.change("orders", 2, null, Array.from({ length: 40 }, (_, i) => `drill${wordOf(i)}`).join(" "))
  await words.settle(atOnce)
  expect(words.longer("drill")).toBeNull()
  words.change("orders", 1, "hammer hammerhead hammering sham lamp12 lamp lampshade", null)
  await words.settle(atOnce)
  expect(words.longer("lamp")).toEqual([])
})

test("letters inside words are known, also in words with digits", () => {
  const words = learned()
  words.change("orders", 1, null, "hammerhead m8boltnut lamp12")
  const isKnown = (letters: string) => [words.isPart(letters), words.isInside(letters)]
  expect(isKnown("merh")).toEqual([true, true])
  expect(isKnown("hamm")).toEqual([true, false])
  expect(isKnown("bolt")).toEqual([true, true])
  expect(isKnown("lamp")).toEqual([true, false])
  expect(isKnown("headm")).toEqual([false, false])
  words.change("orders", 2, null, "windowpane")
  expect(isKnown("pane")).toEqual([true, true])
  words.change("orders", 1, "hammerhead m8boltnut lamp12", null)
  expect(isKnown("merh")).toEqual([false, false])
})
