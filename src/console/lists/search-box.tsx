import { TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { IconSearch } from "../parts/icons"
import { useEffect, useState } from "react"
import { t } from "../texts"
import type { ListState } from "./filters"

/** Searches a list while the user types. */
export function SearchBox({ state, label }: { state: ListState; label: string }) {
  const [typed, setTyped] = useState(state.search)
  const ask = useDebouncedCallback((search: string) => state.change({ search }), 200)
  useEffect(() => setTyped(state.search), [state.search])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={t(($) => $.lists.search)}
      leftSection={<IconSearch size={16} />}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        ask(value)
      }}
      w={{ base: "100%", xs: 220 }}
    />
  )
}
