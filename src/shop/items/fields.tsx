import type { AutocompleteProps } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../console/api/client"
import { SuggestInput } from "../../console/forms/search-select"
import { t } from "../../console/texts"

type Props = Omit<AutocompleteProps, "data" | "label" | "filter" | "onOptionSubmit">

/**
 * The category of an item. It suggests those of other items, so that each has one spelling: first those of the items that
 * were changed last, then those that contain what the user types. A form in which nobody uses it sends no request.
 */
export function CategoryField({ onFocus, onChange, ...props }: Props) {
  const [isUsed, setUsed] = useState(false)
  const [text, setText] = useState("")
  const [typed] = useDebouncedValue(text.trim(), 250)
  const recent = useCategories({ sort: "updatedAt", "category[null]": "false" }, isUsed)
  const found = useCategories({ "category[like]": withoutWildcards(typed) }, typed !== "")
  const data = [...new Set([...recent, ...found])].toSorted((a, b) => a.localeCompare(b))
  return (
    <SuggestInput
      label={t(($) => $.fields.category)}
      maxLength={100}
      {...props}
      data={data}
      onFocus={(event) => {
        setUsed(true)
        onFocus?.(event)
      }}
      onChange={(value) => {
        setText(value)
        onChange?.(value)
      }}
    />
  )
}

/** Escapes the wildcards of a pattern. Without one it means "contains". */
const withoutWildcards = (text: string): string => text.replace(/[\\%_]/g, "\\$&")

/** The categories of the first items of a list. The items are too many to read them all. */
function useCategories(filter: Record<string, string>, isWanted: boolean): string[] {
  const query = new URLSearchParams({ fields: "category", perPage: "100", ...filter }).toString()
  const { data = [] } = useQuery({
    queryKey: ["items", "categories", query],
    queryFn: async ({ signal }) => {
      const { data: rows } = await call<{ category: string | null }[]>("GET", `/items?${query}`, { signal })
      return rows.flatMap(({ category }) => category ?? [])
    },
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  return data
}
