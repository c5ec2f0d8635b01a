import { Autocomplete, type AutocompleteProps } from "@mantine/core"
import { useState } from "react"

type Props = Omit<AutocompleteProps, "data" | "filter" | "onOptionSubmit"> & { data: string[] }

/**
 * A text input with suggestions. It offers all of them until the user types, then those that contain the text. If none
 * does, the list closes.
 */
export function SuggestInput({ data, onFocus, ...props }: Props) {
  // The text that was there before the user began to type.
  const [start, setStart] = useState<string | null>(null)
  return (
    <Autocomplete
      data={data}
      filter={({ search }) =>
        (search === start ? data : matching(data, search)).map((value) => ({ value, label: value }))
      }
      // A list that stays mounted while it is closed would keep an option highlighted.
      comboboxProps={{ keepMounted: false }}
      {...props}
      onFocus={(event) => {
        setStart(event.currentTarget.value)
        onFocus?.(event)
      }}
      onOptionSubmit={setStart}
    />
  )
}

function matching(data: string[], search: string): string[] {
  const typed = search.trim().toLowerCase()
  return data.map((each) => each.toLowerCase()).includes(typed)
    ? []
    : data.filter((each) => each.toLowerCase().includes(typed))
}
