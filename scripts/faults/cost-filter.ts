// The most expensive values of a filter: every operator on a field, with the longest patterns, values and lists.
import { textOf } from "./cost-text"
import { typesOf } from "./fuzz-body"
import type { Schema } from "./fuzz-document"
import { operators } from "./fuzz-query"

export type Filter = { operator: string; value: string; text: string }

/** What a pattern may be at its longest: 200 characters. */
export const patterns = {
  "%a%a…%b": `${"%a".repeat(99)}%b`,
  // On a text of nothing but this letter it fails at each place after the whole of it.
  "%a_a_…b%": `%${"a_".repeat(98)}b%`,
  "one letter": "q",
  "%_%_…": "%_".repeat(100),
  "____…": "_".repeat(200),
  "100 escapes": "\\%".repeat(100),
  "200 letters": "a".repeat(200),
  "200 marks": textOf("marks", 200),
  "200 ligatures": textOf("ligatures", 200),
  "200 astral": textOf("astral", 200),
}

/** No value may be longer than 1,000 characters; escaped, those of other scripts take nine bytes each. */
const texts = {
  "one letter": "q",
  "1,000 letters": textOf("letters", 1_000),
  "1,000 marks": textOf("marks", 1_000),
  "1,000 ligatures": textOf("ligatures", 1_000),
  "1,000 astral": textOf("astral", 1_000),
}

/** Every filter on a field that is worth asking for; in the short form the first few of each kind. */
export function* filtersOf(schema: Schema, isShort: boolean): Generator<Filter> {
  const types = typesOf(schema)
  const isText = types.includes("string") && !schema.enum && !schema.format
  const isNumber = types.includes("number") || types.includes("integer")
  const some = (values: Record<string, string>, few: number) =>
    Object.entries(values).slice(0, isShort || !isText ? few : undefined)

  for (const [value, text] of some(patterns, 3)) yield { operator: "like", value, text }
  for (const operator of operators.filter((each) => each !== "like" && each !== "in"))
    for (const [value, text] of isText ? some(texts, 1) : [["as it may be", fitValue(schema)] as const])
      yield { operator, value, text }
  const entry = (i: number) => (isText ? `${i}`.padEnd(100, "a") : isNumber ? String(i) : fitValue(schema))
  yield {
    operator: "in",
    value: "100 values",
    text: Array.from({ length: 100 }, (_, i) => entry(i)).join(","),
  }
  if (!isNumber) return
  yield { operator: "eq", value: "the largest", text: "9".repeat(1_000) }
  yield { operator: "gt", value: "many decimals", text: `0.${"123456789".repeat(100)}` }
}

function fitValue(schema: Schema): string {
  const word = schema.enum?.find((each) => each !== null)
  if (word !== undefined) return String(word)
  if (typesOf(schema).includes("boolean")) return "true"
  return String(schema.examples?.[0] ?? 1)
}
