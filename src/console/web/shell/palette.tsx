import { Spotlight } from "@mantine/spotlight"
import { useDebouncedValue } from "@mantine/hooks"
import { IconSearch } from "@tabler/icons-react"
import { useState } from "react"
import { useLocation } from "wouter"
import { useMay, useRead } from "../api/hooks"
import type { Hit } from "../api/types"
import { kindOf, type ConsoleKind } from "../kinds"
import { places, settingsPlaces, type Place } from "./navigation"

/** The search dialog (Ctrl+K): finds records and pages by name, number, phone or email. */
export function Palette() {
  const [typed, setTyped] = useState("")
  const { found, message } = useFound(typed.trim())
  const menu = useMenu(typed.trim())
  return (
    <Spotlight.Root
      tagsToIgnore={[]}
      attributes={{ content: { "aria-label": "Search" } }}
      query={typed}
      onQueryChange={setTyped}
      shortcut="mod + K"
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder="Search by name, code, number, phone or email…"
        aria-label="Search everything"
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList>
        {found.map(({ kind, hits }) => (
          <Choices key={kind.path} title={kind.title} of={hits.map((hit) => choiceOf(hit, kind))} />
        ))}
        {menu.length > 0 && <Choices title="Go to" of={menu} />}
        {found.length === 0 && menu.length === 0 && <Spotlight.Empty>{message}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

type Found = { kind: ConsoleKind; hits: Hit[] }

/** The search results by kind, in the order of the server, and the message if there are none. */
function useFound(typed: string): { found: Found[]; message: string } {
  const [searched] = useDebouncedValue(typed, 120)
  const { data, isFetching, isError } = useRead<Record<string, Hit[]>>(
    `/search?limit=5&q=${encodeURIComponent(searched)}`,
    searched !== "",
  )
  const found = Object.entries((searched !== "" && data) || {}).flatMap(([name, hits]) => {
    const kind = kindOf(name)
    return kind && hits.length > 0 ? [{ kind, hits }] : []
  })
  const isSearching = isFetching || searched !== typed
  const noResponse = "Kontor is not responding. Try again in a moment."
  return { found, message: isError ? noResponse : isSearching ? "Searching…" : "No results found" }
}

/** The pages of the menu whose title contains the typed text. */
function useMenu(typed: string): Choice[] {
  const may = useMay()
  return [...places, ...settingsPlaces].filter(
    ({ right, title }) => may(right.area, right.scope) && title.toLowerCase().includes(typed.toLowerCase()),
  )
}

type Choice = Pick<Place, "path" | "title" | "icon">

const choiceOf = ({ id, name }: Hit, { path, icon, recordPath }: ConsoleKind): Choice => ({
  path: recordPath?.(id) ?? path,
  title: name,
  icon,
})

function Choices({ title, of }: { title: string; of: Choice[] }) {
  const [, go] = useLocation()
  return (
    <Spotlight.ActionsGroup label={title}>
      {of.map(({ path, title, icon: Icon }) => (
        <Spotlight.Action
          key={path}
          label={title}
          leftSection={<Icon size={18} stroke={1.7} />}
          onClick={() => go(path)}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}
