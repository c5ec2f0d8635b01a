import { useState } from "react"
import { fieldsOf, type Import } from "./kinds"

/** Which column is which field, as the server has matched them and as the person has changed it. */
export function useMatching(recognised: Import | null) {
  const [chosen, setChosen] = useState<{ of: string; fields: (string | null)[] } | null>(null)
  const columns = recognised?.columns ?? []
  const isChanged = chosen !== null && chosen.of === recognised?.id
  const fields = isChanged ? chosen.fields : columns.map(({ field }) => field)
  return {
    fields,
    isChanged,
    /** Sets the field of a column. Another column that had the field has none then. */
    choose: (index: number, field: string | null) =>
      setChosen({
        of: recognised?.id ?? "",
        fields: fields.map((each, i) => (i === index ? field : each === field ? null : each)),
      }),
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
