// The most expensive filter values: every operator on a field, with the longest patterns, values and lists.
import { textOf } from "./cost-text"
import { typesOf } from "./fuzz-body"
import type { Schema } from "./fuzz-document"

export type Filter = { operator: string; value: string; text: string }

/** Patterns of the maximum length of 200 characters. */
export const patterns = {
  "%a%a…%b": `${"%a".repeat(99)}%b`,
  // On a text of only this letter, a match fails at every position after scanning the whole text.
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

/** A value has at most 1,000 characters. Escaped, each character of some scripts takes nine bytes. */
const texts = {
  "one letter": "q",
  "1,000 letters": textOf("letters", 1_000),
  "1,000 marks": textOf("marks", 1_000),
  "1,000 ligatures": textOf("ligatures", 1_000),
  "1,000 astral": textOf("astral", 1_000),
}

/** All expensive filters on a field with its operators; in the short run the first few of each kind. */
export function* filtersOf(
  schema: Schema,
  operators: readonly string[],
  isShort: boolean,
): Generator<Filter> {
  const types = typesOf(schema)
  const isText = types.includes("string") && !schema.enum && !schema.format
  const isNumber = types.includes("number") || types.includes("integer")
  const some = (values: Record<string, string>, few: number) =>
    Object.entries(values).slice(0, isShort || !isText ? few : undefined)

  for (const [value, text] of some(patterns, 3)) yield { operator: "like", value, text }
  if (operators.includes("null")) yield { operator: "null", value: "true", text: "true" }
  // The other comparisons use the same code.
  const others = ["like", "in", "null", ...(isShort ? ["lte", "gt", "gte"] : [])]
  for (const operator of operators.filter((each) => !others.includes(each)))
    for (const [value, text] of isText ? some(texts, 1) : [["a valid value", validValue(schema)] as const])
      yield { operator, value, text }
  const entry = (i: number) => (isText ? `${i}`.padEnd(100, "a") : isNumber ? String(i) : validValue(schema))
  yield {
    operator: "in",
    value: "100 values",
    text: Array.from({ length: 100 }, (_, i) => entry(i)).join(","),
  }
  if (!isNumber) return
  yield { operator: "eq", value: "the largest", text: "9".repeat(1_000) }
  yield { operator: "gt", value: "many decimals", text: `0.${"123456789".repeat(100)}` }
}

function validValue(schema: Schema): string {
  const [word] = [schema, ...(schema.anyOf ?? [])].flatMap((each) => each.enum ?? [])
  if (word !== undefined) return String(word)
  if (typesOf(schema).includes("boolean")) return "true"
  return String(schema.examples?.[0] ?? 1)
}
