import { Type, type Static } from "@sinclair/typebox"
import { lower } from "../../lib/text"
import { columnOf, shadowsOf, type Resource } from "../../resource/define"
import type { Field } from "../../resource/field"

/** One thing found. */
export const Hit = Type.Object({
  id: Type.String(),
  name: Type.String({ examples: ["Standing desk 120 cm", "SO-2026-00001 · Nordlicht GmbH"] }),
  score: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
})
export type Hit = Static<typeof Hit>

/** A kind that search knows: where it is kept, what names it, and which number or code finds it outright. */
export type SearchKind = {
  name: string
  resource: Resource
  /** The column that holds its code or number, and how a person's spelling is brought into its form. */
  code: { column: string; key: string; form: (typed: string) => string }
  /** The column that holds the name that people know it by, and the one that it sorts by, if it has an index. */
  title: { column: string; sort: string }
  /** What is shown of a hit. */
  shown: (row: Candidate) => string
  /** Begins its numbers, so that 42 finds INV-2026-00042. */
  series?: string
}

/** A row that may be a hit, with what its score is made from. */
export type Candidate = { seq: number; id: string; code: string | null; title: string; more: string }

const upper = (typed: string) => typed.toUpperCase()

/** The kinds that search looks through, in the order in which they are answered. */
export const searchKindsOf = (kinds: readonly Resource[]): SearchKind[] => kinds.flatMap(searchKindOf)

function searchKindOf(resource: Resource): SearchKind[] {
  const { name, found, fields, indexed } = resource
  if (!found) return []
  const codeColumn = columnOf(found.code)
  const title = fields[found.title] as Field
  const isSorted = indexed?.sort?.includes(found.title) ?? false
  return [
    {
      name,
      resource,
      code: fields[found.code]?.unique
        ? { column: codeColumn, key: `${codeColumn}_key`, form: lower }
        : { column: codeColumn, key: codeColumn, form: upper },
      title: {
        column: columnOf(found.title),
        sort: isSorted ? (shadowsOf(found.title, title)[0] ?? "") : "",
      },
      shown: found.showsCode
        ? ({ code, title: text }) => `${code ?? "Draft"} · ${text}`
        : ({ title: text }) => text,
      series: found.series,
    },
  ]
}
