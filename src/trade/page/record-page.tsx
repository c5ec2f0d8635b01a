import { Box, Grid, Group, Stack, Text } from "@mantine/core"
import type { ReactNode } from "react"
import type { Kind } from "../../console/api/types"
import { MoreMenu, type MoreAction } from "../../console/parts/more-menu"
import { Page } from "../../console/parts/page"
import { Timeline, type TimelineRecord } from "./timeline"

/** A figure in the header of a record, such as its total. */
export type HeaderFact = { label: string; value: ReactNode; isStrong?: boolean }

type Props = {
  kind: Kind
  record: TimelineRecord
  title: string
  parent: { title: string; href: string }
  badge: ReactNode
  /** What a person looks for first: customer, total, due date. */
  facts: (HeaderFact | false)[]
  /** The main action in this state of the record, and a few plain ones before it. */
  actions?: ReactNode
  /** All other actions, in a menu. */
  more?: { actions: (MoreAction | false)[]; isBusy?: boolean }
  /** Content above the timeline. */
  aside?: ReactNode
  /** True if the content needs the whole width of a usual screen. */
  isWide?: boolean
  children: ReactNode
}

/** The page of one record: its header, its content, and beside it the timeline. On a phone the timeline is below. */
export function RecordPage({ kind, record, facts, actions, more, aside, isWide, children, ...page }: Props) {
  const [wide, narrow] = isWide ? [{ xl: 9 }, { xl: 3 }] : [{ lg: 8 }, { lg: 4 }]
  return (
    <Page
      {...page}
      actions={
        <>
          {more && <MoreMenu {...more} />}
          {actions}
        </>
      }
    >
      <HeaderFacts facts={facts} />
      <Grid>
        <Grid.Col span={{ base: 12, ...wide }}>{children}</Grid.Col>
        <Grid.Col span={{ base: 12, ...narrow }}>
          <Stack>
            {aside}
            <Timeline kind={kind} record={record} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

const HeaderFacts = ({ facts }: { facts: (HeaderFact | false)[] }) => (
  <Group component="dl" gap="xl" mt={0} mb="md" align="start" style={{ rowGap: 8 }}>
    {facts
      .filter((fact) => fact !== false)
      .map(({ label, value, isStrong }) => (
        <Box key={label} miw={0} style={{ overflowWrap: "anywhere" }}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} size="sm" fw={isStrong ? 650 : undefined} className="figures">
            {value}
          </Text>
        </Box>
      ))}
  </Group>
)
