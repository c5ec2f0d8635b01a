import { Box, Divider, NavLink, ScrollArea, Text } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { Fragment, type ReactNode } from "react"
import { Link, useLocation } from "wouter"
import { useMay } from "../api/hooks"
import { IconChevronDown, IconChevronRight, IconTerminal } from "../parts/icons"
import { apiDocs, groups, help, home, type Place } from "./navigation"

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
      {shown.map(({ group, ...given }) =>
        group === apiDocs.group ? (
          <Fragment key={group}>
            <Divider mb="sm" />
            <Outside {...help} />
            <Folded id={group} {...given} />
          </Fragment>
        ) : (
          <Group key={group} id={group} {...given} />
        ),
      )}
    </ScrollArea>
  )
}

type GroupProps = { id: string; title: string; places: Place[] }

/** A group with its title. One that is only a page of the same title needs none. */
const Group = ({ id, title, places }: GroupProps) => (
  <Section id={id}>
    <Text
      id={`menu-${id}`}
      size="xs"
      fw={600}
      c="dimmed"
      px="sm"
      pb={4}
      hidden={places.every((place) => place.title === title)}
    >
      {title}
    </Text>
    {places.map((place) => (
      <Entry key={place.path} place={place} />
    ))}
  </Section>
)

const Section = ({ id, children }: { id: string; children: ReactNode }) => (
  <Box component="section" aria-labelledby={`menu-${id}`} mb="sm">
    {children}
  </Box>
)

/** The pages for developers, behind one entry: a shop needs none of them. The browser remembers whether it is open. */
function Folded({ id, title, places }: GroupProps) {
  const [path] = useLocation()
  const [isOpen, setOpen] = useLocalStorage({
    key: "kontor.menu.developers",
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <Section id={id}>
      <NavLink
        {...look}
        id={`menu-${id}`}
        component="button"
        label={title}
        leftSection={<IconTerminal size={18} stroke={1.7} />}
        rightSection={<Chevron size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={`pages-${id}`}
        active={!isOpen && places.some((place) => isAt(path, place.path))}
        onClick={() => setOpen(!isOpen)}
      />
      <Box id={`pages-${id}`} pl="xs" hidden={!isOpen}>
        {places.map((place) => (
          <Entry key={place.path} place={place} />
        ))}
        <Outside {...apiDocs} />
      </Box>
    </Section>
  )
}

const look = { variant: "light", py: 4, pr: 4, style: { borderRadius: "var(--mantine-radius-md)" } } as const

const isAt = (path: string, to: string): boolean =>
  to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`)

function Entry({ place: { path: to, title, icon: Icon } }: { place: Place }) {
  const [path] = useLocation()
  const isHere = isAt(path, to)
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

/** A page outside of the console, in a new tab. */
const Outside = ({
  href,
  title,
  icon: Icon,
}: Pick<typeof apiDocs | typeof help, "href" | "title" | "icon">) => (
  <NavLink
    {...look}
    href={href}
    target="_blank"
    rel="noreferrer"
    label={title}
    leftSection={<Icon size={18} stroke={1.7} />}
  />
)
