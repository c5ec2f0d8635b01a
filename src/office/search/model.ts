import { Type, type Static } from "@sinclair/typebox"
import { lower } from "../../core/lib/text"
import { columnOf, isNumbered, shadowsOf, type Numbered, type Resource } from "../../core/kind/define"
import type { Field } from "../../core/kind/field"
import { nameOfHit } from "../../shared/documents/draft-name"

export const Hit = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ examples: ["Standing desk 120 cm", "SO-2026-00001 · Nordlicht GmbH"] }),
    score: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  },
  { $id: "SearchHit" },
)
export type Hit = Static<typeof Hit>

/** A kind that can be searched: its resource, its code or number, and its title. */
export type SearchKind = {
  name: string
  resource: Resource
  /** The column with the code or number, and the function that normalizes what a person typed. */
  code: { column: string; key: string; form: (typed: string) => string }
  /** The columns with other unique codes in lower case. */
  keys: readonly string[]
  /** The column with the title, and the indexed column that it sorts by, if any. */
  title: { column: string; sort: string }
  /** Returns the text of a hit. */
  shown: (row: Candidate) => string
  /** The kind, if it has numbers, so that 42 finds INV-2026-00042. */
  numbered: Numbered | null
  /** The columns by which an amount finds a row. */
  amounts: readonly AmountColumn[]
}

/** A column with an amount. `when` is the condition of its partial index, if it has one. */
export type AmountColumn = { column: string; when?: string; score: number }

/** A row that may be a hit, with the data for its score. A row that was found by an amount has the score already. */
export type Candidate = {
  seq: number
  id: string
  code: string | null
  title: string
  more: string
  score?: number
}

const upper = (typed: string) => typed.toUpperCase()

/** Returns the kinds that can be searched, in the order of the response. */
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
      keys: (found.keys ?? []).map((name) => `${columnOf(name)}_key`),
      title: {
        column: columnOf(found.title),
        sort: isSorted ? (shadowsOf(found.title, title)[0] ?? "") : "",
      },
      shown: found.showsCode ? ({ code, title: text }) => nameOfHit(code, text) : ({ title: text }) => text,
      numbered: isNumbered(resource) ? resource : null,
      amounts: (found.amounts ?? []).map(({ field, ...rest }) => ({ column: columnOf(field), ...rest })),
    },
  ]
}
