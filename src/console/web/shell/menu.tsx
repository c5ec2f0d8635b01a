import { Divider, NavLink, ScrollArea, Text } from "@mantine/core"
import { Link, useLocation } from "wouter"
import { useMay } from "../api/hooks"
import { places, settingsPlaces, type Place } from "./navigation"

export function Menu() {
  return (
    <ScrollArea>
      <Places of={places} />
      <Divider my="xs" />
      <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
        Settings
      </Text>
      <Places of={settingsPlaces} />
    </ScrollArea>
  )
}

function Places({ of }: { of: Place[] }) {
  const may = useMay()
  const [path] = useLocation()
  const isHere = (place: string) =>
    place === "/" ? path === "/" : path === place || path.startsWith(`${place}/`)
  return of
    .filter(({ right }) => may(right.area, right.scope))
    .map(({ path: to, title, icon: Icon }) => (
      <NavLink
        key={to}
        component={Link}
        href={to}
        label={title}
        leftSection={<Icon size={18} stroke={1.7} />}
        active={isHere(to)}
        aria-current={isHere(to) ? "page" : undefined}
        variant="light"
        style={{ borderRadius: "var(--mantine-radius-md)" }}
      />
    ))
}
