import { Type } from "@sinclair/typebox"
import { keyOfName, type Resource } from "../../core/kind/define"
import { list, type Given } from "../../core/kind/field"
import { object } from "../../core/kind/object"
import { text } from "../../core/kind/text-field"
import { pairFields } from "../../core/store/pairs/pair-filter"

/** The kinds whose records have metadata. */
export const withMetadata = (kinds: readonly Resource[]): Resource[] =>
  kinds.filter((kind) => pairFields(kind).includes("metadata"))

/** The most keys of a kind that have an index. Each is written with each record that has it. */
const mostKeys = 5
const longestKey = 40

/** The keys of metadata that have an index, for each kind. */
export function indexedMetadata(kinds: readonly Resource[]): Given<Record<string, string[] | null>> {
  const keys = () => list(text({ max: longestKey, examples: ["color"] }), { max: mostKeys })
  const given = object(Object.fromEntries(withMetadata(kinds).map(({ name }) => [keyOfName(name), keys()])))
  const description = `The keys of metadata that filters find by an index, at most ${mostKeys} of each kind. Null has none.`
  return { ...given, schema: Type.Unsafe({ ...given.schema, description }) } as Given<
    Record<string, string[] | null>
  >
}
