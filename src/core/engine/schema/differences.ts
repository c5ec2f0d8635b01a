/**
 * Something that a schema defines. `sql` is its definition, and `words` what is compared of it; both are null for an index
 * that SQLite creates for UNIQUE or PRIMARY KEY.
 */
export type SchemaObject = {
  type: string
  name: string
  of: string
  sql: string | null
  words: string | null
}

/** Compares the objects of a database with those that it should have. Returns one sentence for each difference. */
export function differences(found: SchemaObject[], wanted: SchemaObject[]): string[] {
  const wantedByKey = new Map(wanted.map((each) => [keyOf(each), each]))
  const keys = new Set(found.map(keyOf))
  return [
    ...found.flatMap((each) => {
      const same = wantedByKey.get(keyOf(each))
      if (!same) return [extra(each)]
      return same.words === each.words && same.of === each.of ? [] : [altered(each)]
    }),
    ...wanted.filter((each) => !keys.has(keyOf(each))).map(missing),
  ]
}

export const extra = (each: SchemaObject) => `The ${titleOf(each)} is not part of Kontor's schema.`
const altered = (each: SchemaObject) => `The ${titleOf(each)} differs from Kontor's schema.`
const missing = (each: SchemaObject) => `The ${titleOf(each)} is missing.`

const keyOf = ({ type, name }: SchemaObject) => JSON.stringify([type, name])

/** The name is untrusted: it must not contain control sequences for the terminal that shows it. */
const titleOf = ({ type, name, of }: SchemaObject) =>
  `${shown(type)} ${shown(name)}${of === name ? "" : ` on ${shown(of)}`}`
const shown = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name))
