// The most expensive bodies: each field of each operation with the longest texts and largest lists, and bodies of only
// such values.
import { json, otherAddress, pathOf, titleOf, type Case, type Context, type Sent } from "./cost-case"
import { textSeries, nearlyAll, textKinds, textOf, textOfBytes, type TextKind } from "./cost-text"
import { nameOf, typesOf, validBody, withValue, type Body } from "./fuzz-body"
import type { Operation, Schema } from "./fuzz-document"

type Place = { path: (string | number)[]; schema: Schema }

/** All expensive bodies for an operation. */
export function* bodyCases(operation: Operation, context: Context): Generator<Case> {
  // A PATCH is parsed like the PUT of the same record.
  if (!operation.body || (context.isShort && operation.method === "PATCH")) return
  const send = senderOf(operation, context)
  for (const place of placesOf(operation.body)) {
    const types = typesOf(place.schema)
    if (types.includes("string") || place.schema.enum) yield* textCases(place, context, send)
    if (types.includes("array")) yield* listCases(place, context, send)
    if (types.includes("number") || types.includes("integer"))
      for (const [value, digits] of context.isShort ? amounts.slice(0, 1) : amounts)
        yield send.raw(nameOf(place.path), value, (base) => numberIn(base(), place, digits))
  }
  for (const [value, text] of wholeBodies(context.isShort)) yield send.raw("the body", value, () => text)
  if (operation.id.startsWith("batch"))
    for (const [value, text] of batchBodies(context.isShort)) yield send.raw("the body", value, () => text)
}

type Sender = ReturnType<typeof senderOf>

function senderOf(operation: Operation, context: Context) {
  const { known, random } = context
  const base = (): Body => context.amend(operation.id, validBody(operation.body ?? {}, random, known, "x", 0))
  const shared = { operation: titleOf(operation), id: operation.id }
  const head = (): Omit<Sent, "body"> => ({
    method: operation.method,
    path: pathOf(operation, context),
    headers: { ...json, ...otherAddress(random) },
  })
  return {
    /** A valid body except for one value, which is made when it is sent. */
    field: ({ path }: Place, name: string, value: () => unknown, series?: string): Case => ({
      ...shared,
      parameter: nameOf(path),
      value: name,
      series,
      make: () => {
        const given = withValue(base(), path, value())
        return { ...head(), body: JSON.stringify(given), given }
      },
    }),
    raw: (parameter: string, value: string, text: (base: () => Body) => string): Case => ({
      ...shared,
      parameter,
      value,
      make: () => ({ ...head(), body: text(base) }),
    }),
  }
}

/** All fields of a body in its schema; for a list, its first entry. */
function placesOf(schema: Schema, path: (string | number)[] = []): Place[] {
  const own = path.length > 0 ? [{ path, schema }] : []
  if (schema.items) return [...own, ...placesOf(schema.items, [...path, 0])]
  return [
    ...own,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => placesOf(inner, [...path, name])),
  ]
}

const shortKinds: readonly TextKind[] = ["marks"]

function* textCases(place: Place, { isShort }: Context, send: Sender): Generator<Case> {
  const { maxLength } = place.schema
  for (const kind of isShort ? shortKinds : textKinds)
    for (const entry of textSeries(kind, maxLength)) {
      // The short run sends only the longest allowed text and one that is much too long.
      const isAsked = !isShort || entry.text.length === maxLength || entry.name.startsWith("40 kB")
      if (isAsked) yield send.field(place, entry.name, () => entry.text, kind)
    }
}

function* listCases(place: Place, { isShort, random, known }: Context, send: Sender): Generator<Case> {
  const { items = {}, maxItems = 100 } = place.schema
  const list = (name: string, entries: () => unknown[]) => send.field(place, name, entries)
  const entry = (): unknown =>
    items.properties ? validBody(items, random, known, "x", 0) : textOf("letters", items.maxLength ?? 10)
  yield list(`${maxItems} long entries`, () => Array.from({ length: maxItems }, entry))
  yield list("300,000 empty objects", () => Array(300_000).fill({}))
  if (isShort) return
  yield list(`${maxItems} texts of 10 kB of marks`, () =>
    Array(Math.min(maxItems, 90)).fill(textOf("marks", 5_000)),
  )
  yield list(`${maxItems * 2} entries`, () => Array.from({ length: maxItems * 2 }, entry))
  yield list("300,000 texts", () => Array(250_000).fill("a"))
  if (items.properties) {
    const unknownFields = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, 1]))
    yield list(`${maxItems} entries of 200 unknown fields`, () =>
      Array(Math.min(maxItems, 500)).fill(unknownFields),
    )
  } else yield list(`${maxItems} longest addresses`, () => Array.from({ length: maxItems }, longAddress))
}

const longAddress = (_: unknown, i: number): string => `https://example.com/${i}/`.padEnd(2_048, "a")

/** Numbers that are valid JSON but not valid for any field. */
const amounts = [
  ["many decimals", `0.${"123456789".repeat(10_000)}`],
  ["the largest number", "1.7976931348623157e308"],
  ["100,000 digits", "9".repeat(100_000)],
  ["an exponent of 100 kB", `1e${"0".repeat(100_000)}1`],
] as const
const numberIn = (base: Body, { path }: Place, digits: string): string =>
  JSON.stringify(withValue(base, path, "@digits@")).replace('"@digits@"', digits)

type Texts = Generator<[value: string, text: string]>

/** The bodies are the same for all operations, and to make them takes long. */
function madeOnce(make: (isShort: boolean) => Texts) {
  const made = new Map<boolean, [value: string, text: string][]>()
  return (isShort: boolean) => {
    const texts = made.get(isShort) ?? [...make(isShort)]
    made.set(isShort, texts)
    return texts
  }
}

/** Batches of nearly 5 MB. */
const batchBodies = madeOnce(function* (isShort: boolean): Texts {
  const batch = (count: number, body: (i: number) => string) =>
    `{"mode":"each","operations":[${Array.from({ length: count }, (_, i) => `{"op":"create","body":${body(i)}}`).join(",")}]}`
  const fields = (count: number, name: (i: number) => string) =>
    `{${Array.from({ length: count }, (_, i) => `"${name(i)}":1`).join(",")}}`
  yield [
    "400,000 different unknown fields",
    batch(1_000, (i) => fields(400, (j) => (i * 400 + j).toString(36))),
  ]
  if (isShort) return
  yield [
    "5 operations of 1 MB",
    batch(
      5,
      () =>
        `{"a":[${Array(4_900)
          .fill(`"${"a".repeat(190)}"`)
          .join(",")}]}`,
    ),
  ]
  yield ["300,000 empty objects", batch(1_000, () => `{"a":[${Array(300).fill("{}").join(",")}]}`)]
  yield ["1,600,000 operations", `{"mode":"each","operations":[${Array(1_600_000).fill("{}").join(",")}]}`]
})

/** Bodies that are not valid for any operation. */
const wholeBodies = madeOnce(function* (isShort: boolean): Texts {
  const unknown = (count: number, name: (i: number) => string) =>
    `{${Array.from({ length: count }, (_, i) => `"${name(i)}":1`).join(",")}}`
  yield ["105,000 unknown fields", unknown(105_000, (i) => `${i}`)]
  yield ["nested 10,000 deep", `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`]
  if (isShort) return
  yield ["one field of 1 MB", `{"${textOfBytes("words", nearlyAll)}":1}`]
  yield ["one field of 40 kB of marks", `{"${textOfBytes("marks", 40_000)}":1}`]
  yield ["the same field 150,000 times", unknown(150_000, () => "a")]
  yield ["nested 500,000 deep", "[".repeat(500_000)]
  yield ["objects nested 150,000 deep", `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`]
  yield ["300,000 empty objects", `{"a":[${Array(300_000).fill("{}").join(",")}]}`]
  yield ["1 MB of spaces", `${" ".repeat(nearlyAll)}{}`]
  yield ["1 MB of escapes", `{"a":"${"\\u0301\\u0316".repeat(nearlyAll / 12)}"}`]
  yield ["2 MB", `{"a":"${"a".repeat(nearlyAll * 2)}"}`]
})
