import { expect, test } from "bun:test"
import fc from "fast-check"
import { kindList } from "../src/kinds"
import { fieldsOf } from "../src/core/kind/define"
import type { Field } from "../src/core/kind/field"
import { converterOf, plainConverterOf } from "../src/core/store/table-shape"

/** A value as SQLite stores it. */
const stored = ({ kind }: Field): fc.Arbitrary<unknown> => {
  if (kind === "boolean") return fc.constantFrom(0, 1)
  if (kind === "json") return fc.oneof(fc.json(), fc.constantFrom("{}", "[]"))
  if (kind === "decimal" || kind === "amount" || kind === "integer") return fc.maxSafeInteger()
  return fc.string()
}

test.each(kindList.map((kind) => [kind.name, kind] as const))(
  "The generated code converts rows of %s as the plain code does.",
  (_, kind) => {
    const fields = fieldsOf(kind)
    const [generated, plain] = [converterOf(fields), plainConverterOf(fields)]
    const row = fc.record(
      Object.fromEntries(fields.map(([name, field]) => [name, fc.option(stored(field))])),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(row, (given) => {
        const [first, second] = [{ ...given }, { ...given }]
        generated(first)
        plain(second)
        expect(first).toEqual(second)
      }),
      { numRuns: 50 },
    )
  },
)
