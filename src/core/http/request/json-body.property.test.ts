import { expect, test } from "bun:test"
import fc from "fast-check"
import { readJson, readJsonInParts } from "./json-body"

const encode = (text: string) => new TextEncoder().encode(text)

/** The parsed value, or null when the text is refused. */
const whole = (text: string) => {
  try {
    return readJson(encode(text))
  } catch {
    return null
  }
}
const inParts = (text: string) => readJsonInParts(encode(text)).catch(() => null)

test("A text that is parsed part by part has the same value as one that is parsed as a whole.", async () => {
  const text = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })).map((value) => JSON.stringify(value))
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      expect(await inParts(given)).toEqual(whole(given))
    }),
    { numRuns: 500 },
  )
})

test("A broken text is refused, part by part as well as a whole.", async () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"',
    "1",
    " ",
    "null",
    '"a":',
    '{"a":[',
    "]}",
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.array(piece, { maxLength: 6 }).map((pieces) => `{"a":[${pieces.join("")}]}`),
  )
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      const expected = whole(given)
      const value = await inParts(given)
      // Only objects are valid bodies.
      const isObject = (each: typeof value) =>
        each !== null && Object(each.value) === each.value && !Array.isArray(each.value)
      if (isObject(expected) || isObject(value)) expect(value).toEqual(expected)
    }),
    { numRuns: 5_000 },
  )
})

test("An operation may be as large as another body, but not larger.", async () => {
  const of = (bytes: number) => `{"operations":[{}, {"a":"${"a".repeat(bytes - '{"a":""}'.length)}"}]}`
  const mib = 1024 * 1024
  expect(await readJsonInParts(encode(of(mib - 1)))).toMatchObject({ omitted: 0 })
  expect(readJsonInParts(encode(of(mib + 1)))).rejects.toMatchObject({
    details: [{ field: "operations[1]", code: "TOO_LONG" }],
  })
})
