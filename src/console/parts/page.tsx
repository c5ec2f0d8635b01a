import {
  Alert,
  Anchor,
  Box,
  Breadcrumbs,
  Center,
  Group,
  Loader,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from "@mantine/core"
import { type ReactNode, useEffect } from "react"
import { Link } from "wouter"
import { t } from "../texts"

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

export const Waiting = ({ height }: { height: number | string }) => (
  <Center h={height}>
    <Loader aria-label={t(($) => $.common.loading)} />
  </Center>
)

/** The error of a whole form. Screen readers announce it. */
export const ErrorAlert = ({ message }: { message: string | null }) =>
  message && (
    <Alert color="red" role="alert">
      {message}
    </Alert>
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
