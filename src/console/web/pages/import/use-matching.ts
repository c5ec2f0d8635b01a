import { useState } from "react"
import { fieldsOf, type Import } from "./kinds"

/** A field that a person has chosen for the column `by`, and that the column `from` had before. */
type Taken = { field: string; from: number; by: number }

type Chosen = { of: string; fields: (string | null)[]; taken: Taken[] }

/** Which column is which field, as the server has matched them and as the person has changed it. */
export function useMatching(recognised: Import | null) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const columns = recognised?.columns ?? []
  const isChanged = chosen !== null && chosen.of === recognised?.id
  const { fields, taken } = isChanged ? chosen : { fields: columns.map(({ field }) => field), taken: [] }
  return {
    fields,
    isChanged,
    /** Sets the field of a column. Another column that had the field has none then. */
    choose: (index: number, field: string | null) => {
      const from = field === null ? -1 : fields.indexOf(field)
      setChosen({
        of: recognised?.id ?? "",
        fields: fields.map((each, i) => (i === index ? field : i === from ? null : each)),
        taken: field === null || from < 0 ? taken : [...taken, { field, from, by: index }],
      })
    },
    /** The field that a column had until another one got it; null if that is not so any more. */
    takenFrom: (index: number): Taken | null =>
      taken.findLast(({ field, from, by }) => from === index && !fields[index] && fields[by] === field) ??
      null,
    /** The column of each field of the kind. */
    mapping: (): Map<string, string | null> =>
      new Map(
        recognised
          ? fieldsOf(recognised.kind).map((field) => [field, columns[fields.indexOf(field)]?.column ?? null])
          : [],
      ),
  }
}

export type Matching = ReturnType<typeof useMatching>
