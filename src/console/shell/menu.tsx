import { Box, Divider, NavLink, ScrollArea, Text } from "@mantine/core"
import { Link, useLocation } from "wouter"
import { useMay } from "../api/hooks"
import { apiDocs, groups, home, type Place } from "./navigation"

/** The dashboard, and the other pages by group. A group without a page that the user may see is left out. */
export function Menu() {
  const may = useMay()
  const shown = groups
    .map(({ places, ...group }) => ({
      ...group,
      places: places.filter(({ right }) => may(right.area, right.scope)),
    }))
    .filter(({ places }) => places.length > 0)
  return (
    <ScrollArea>
      {may(home.right.area, home.right.scope) && (
        <Box mb="sm">
          <Entry place={home} />
        </Box>
      )}
      {shown.map(({ group, title, places }) => (
        <Box key={group} component="section" aria-labelledby={`menu-${group}`} mb="sm">
          {group === "developers" && <Divider mb="sm" />}
          <Text id={`menu-${group}`} size="xs" fw={600} c="dimmed" px="sm" pb={4}>
            {title}
          </Text>
          {places.map((place) => (
            <Entry key={place.path} place={place} />
          ))}
          {group === apiDocs.group && <ApiDocs />}
        </Box>
      ))}
    </ScrollArea>
  )
}

const look = { variant: "light", py: 4, style: { borderRadius: "var(--mantine-radius-md)" } } as const

function Entry({ place: { path: to, title, icon: Icon } }: { place: Place }) {
  const [path] = useLocation()
  const isHere = to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`)
  return (
    <NavLink
      {...look}
      component={Link}
      href={to}
      label={title}
      leftSection={<Icon size={18} stroke={1.7} />}
      active={isHere}
      aria-current={isHere ? "page" : undefined}
    />
  )
}

function ApiDocs() {
  const { href, title, icon: Icon } = apiDocs
  return (
    <NavLink
      {...look}
      href={href}
      target="_blank"
      rel="noreferrer"
      label={title}
      leftSection={<Icon size={18} stroke={1.7} />}
    />
  )
}
