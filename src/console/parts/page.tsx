import { Waiting } from "../shell/split"
import {
  Alert,
  Anchor,
  Box,
  Breadcrumbs,
  Button,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from "@mantine/core"
import { type ReactNode, useEffect } from "react"
import { Link } from "wouter"
import { t } from "../texts"
import type { UseQueryResult } from "@tanstack/react-query"
import { messageOf } from "../api/client"
import { ApiError } from "../api/send"
import { useHeld } from "../forms/unsaved"
import { useMay, useMe } from "../api/hooks"
import type { Area, Role, Scope } from "../api/types"

type Props = {
  title: string
  /** The status next to the title. */
  badge?: ReactNode
  /** The parent page in the breadcrumbs. */
  parent?: { title: string; href: string }
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page: breadcrumbs, title and actions. */
export function Page({ title, badge, parent, actions, children }: Props) {
  useEffect(() => void (document.title = `${title} · Kontor`), [title])
  return (
    <>
      {parent && (
        <Breadcrumbs mb={4}>
          <Anchor component={Link} href={parent.href} size="sm">
            {parent.title}
          </Anchor>
        </Breadcrumbs>
      )}
      <Group justify="space-between" mb="md" gap="sm">
        <Group gap="sm" miw={0}>
          <Title order={1} size="h2" miw={0} tabIndex={-1} style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {badge}
        </Group>
        <Group gap="xs" className="no-print">
          {actions}
        </Group>
      </Group>
      {children}
    </>
  )
}

/** A section of a page, with a heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="md">
    <Title order={2} size="h4" mb="sm">
      {title}
    </Title>
    <Stack>{children}</Stack>
  </Paper>
)

/** A box beside the content of a page, with a small heading. */
export const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="md">
    <Title order={2} size="h5" mb="xs">
      {title}
    </Title>
    {children}
  </Paper>
)

/** Scrolls to the top of the page, where its title and its status are. */
export const showTop = (): void => window.scrollTo(0, 0)

type Fact = { label: string; value: ReactNode }

/** Read-only values, each below its label. */
export const Facts = ({ of, columns = 2 }: { of: Fact[]; columns?: number }) => (
  <SimpleGrid component="dl" cols={{ base: 1, xs: columns }} spacing="sm" verticalSpacing="xs" m={0}>
    {of.map(({ label, value }) => (
      <div key={label}>
        <Text component="dt" size="xs" c="dimmed">
          {label}
        </Text>
        <Box component="dd" m={0} fz="sm">
          {value === null || value === undefined || value === "" ? "–" : value}
        </Box>
      </div>
    ))}
  </SimpleGrid>
)

export const NotFound = () => (
  <Page title={t(($) => $.parts.notFound)}>
    <Text mb="md">{t(($) => $.parts.notFoundText)}</Text>
    <Button component={Link} href="/">
      {t(($) => $.parts.goToDashboard)}
    </Button>
  </Page>
)

/** Shows the data of a query, or its loading or error state. */
export function Loaded<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}) {
  // Somebody may delete a record while its page is open. A form with unsaved changes stays.
  const isMissing = useHeld(query.error instanceof ApiError && query.error.status === 404)
  if (isMissing) return <NotFound />
  if (query.data !== undefined) return children(query.data)
  if (query.error)
    return (
      <Alert color="red" role="alert" title={t(($) => $.parts.loadFailed)}>
        {messageOf(query.error)}
        <br />
        <Button size="xs" variant="default" mt="sm" onClick={() => query.refetch()}>
          {t(($) => $.common.tryAgain)}
        </Button>
      </Alert>
    )
  return <Waiting height={240} />
}

type OnlyForProps = {
  area: Area
  scope: Scope
  /** The only roles, of those that have the right, unless all of them may. */
  roles?: readonly Role[] | null
  title: string
  parent?: { title: string; href: string }
  /** Who can view the page: "Only admins can view this page." */
  sentence: string
  children: ReactNode
}

/** Shows a page only to users with the right. Other users see why before they fill in a form that would be refused. */
export function OnlyFor({ area, scope, roles, title, parent, sentence, children }: OnlyForProps) {
  const { role } = useMe()
  if (useMay()(area, scope) && (roles?.includes(role) ?? true)) return children
  return (
    <Page title={title} parent={parent}>
      <Text>{sentence}</Text>
    </Page>
  )
}

/** Shows a page only to admins, so that other users send no requests that the server would refuse. */
export const AdminOnly = ({ title, children }: { title: string; children: ReactNode }) => (
  <OnlyFor area="administration" scope="admin" title={title} sentence={t(($) => $.parts.adminOnly)}>
    {children}
  </OnlyFor>
)
