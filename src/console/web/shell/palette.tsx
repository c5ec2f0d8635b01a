import { Spotlight } from "@mantine/spotlight"
import { useDebouncedValue } from "@mantine/hooks"
import { IconBox, IconFileInvoice, IconSearch, IconShoppingCart, IconUsersGroup } from "@tabler/icons-react"
import { useState } from "react"
import { useLocation } from "wouter"
import { useMay, useRead } from "../api/hooks"
import type { Hit } from "../api/types"
import { places, settingsPlaces } from "./navigation"

const kinds = [
  { name: "items", title: "Items", path: "/items", icon: IconBox },
  { name: "customers", title: "Customers", path: "/customers", icon: IconUsersGroup },
  { name: "sales-orders", title: "Orders", path: "/orders", icon: IconShoppingCart },
  { name: "invoices", title: "Invoices", path: "/invoices", icon: IconFileInvoice },
]

/** Ctrl-K: everything by name, number, or whatever else is known of it. */
export function Palette() {
  const may = useMay()
  const [, go] = useLocation()
  const [typed, setTyped] = useState("")
  const [asked] = useDebouncedValue(typed.trim(), 120)
  const { data, isFetching, isError } = useRead<Record<string, Hit[]>>(
    `/search?limit=5&q=${encodeURIComponent(asked)}`,
    asked !== "",
  )
  const menu = [...places, ...settingsPlaces].filter(
    ({ right, title }) =>
      may(right.area, right.scope) && title.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  const found = asked === "" ? [] : kinds.filter(({ name }) => (data?.[name] ?? []).length > 0)

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
        placeholder="Name, code, number, phone, e-mail…"
        aria-label="Search everything"
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList>
        {found.map(({ name, title, path, icon: Icon }) => (
          <Spotlight.ActionsGroup key={name} label={title}>
            {(data?.[name] ?? []).map((hit) => (
              <Spotlight.Action
                key={hit.id}
                label={hit.name}
                leftSection={<Icon size={18} stroke={1.7} />}
                onClick={() => go(`${path}/${hit.id}`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {menu.length > 0 && (
          <Spotlight.ActionsGroup label="Go to">
            {menu.map(({ path, title, icon: Icon }) => (
              <Spotlight.Action
                key={path}
                label={title}
                leftSection={<Icon size={18} stroke={1.7} />}
                onClick={() => go(path)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {found.length === 0 && menu.length === 0 && (
          <Spotlight.Empty>
            {isError
              ? "Kontor does not answer. Try again in a moment."
              : isFetching || asked !== typed.trim()
                ? "Searching…"
                : "Nothing found."}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
