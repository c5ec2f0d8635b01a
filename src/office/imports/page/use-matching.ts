import { useState } from "react"
import { fieldsOf, type Import } from "./kinds"

/** A field that a person has chosen for the column `by`, and that the column `from` had before. */
type Taken = { field: string; from: number; by: number }

/** What a person has chosen for a file with these titles. */
type Chosen = { titles: string; fields: (string | null)[]; taken: Taken[] }

/** The kind of an import and the titles of its file. Files with the same titles have the same columns. */
export const titlesOf = ({ kind, columns }: Import): string =>
  JSON.stringify([kind, ...columns.map(({ column }) => column)])

/**
 * Which column is which field, as the server has matched them and as the person has changed it. Their choice stays for a
 * file that is chosen again after a correction.
 */
export function useMatching(recognized: Import | null) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const columns = recognized?.columns ?? []
  const matched = columns.map(({ field }) => field)
  const isChosen = chosen !== null && recognized !== null && chosen.titles === titlesOf(recognized)
  const { fields, taken } = isChosen ? chosen : { fields: matched, taken: [] }
  return {
    fields,
    /** True if the server has not checked the rows with these fields yet. */
    isChanged: fields.some((field, i) => field !== matched[i]),
    /** Sets the field of a column. Another column that had the field has none then. */
    choose: (index: number, field: string | null) => {
      const from = field === null ? -1 : fields.indexOf(field)
      setChosen({
        titles: recognized ? titlesOf(recognized) : "",
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
        recognized
          ? fieldsOf(recognized.kind).map((field) => [field, columns[fields.indexOf(field)]?.column ?? null])
          : [],
      ),
  }
}

export type Matching = ReturnType<typeof useMatching>
