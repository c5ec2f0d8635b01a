import { Box, Button, Grid, Group, Timeline as List, Paper, Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import type { AuditEntry, Kind } from "../../console/api/types"
import { type MoreAction, MoreMenu, TextAround } from "../../console/parts/more-menu"
import { Page } from "../../console/parts/page"
import { useList, useMe } from "../../console/api/hooks"
import { kinds } from "../../console/kinds"
import { ago, moment } from "../../console/format"
import { t as common } from "../../console/texts"
import { TimelineMessage, useMessagesOf } from "./mail/timeline-message"
import { woven } from "./mail/woven"
import { t } from "./timeline-texts"
import { actorOf, isFinalized, isOfPaper, type Sentence, sentencesOf, type Story } from "./timeline-sentences"

/** A figure in the header of a record, such as its total. */
export type HeaderFact = { label: string; value: ReactNode; isStrong?: boolean }

type Props = {
  kind: Kind
  record: TimelineRecord
  title: string
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

/** The list above the page of a record. */
export const parentOf = (kind: Kind) => ({ title: kinds[kind].title, href: kinds[kind].path })

/** The page of one record: its header, its content, and beside it the timeline. On a phone the timeline is below. */
export function RecordPage({ kind, record, facts, actions, more, aside, isWide, children, ...page }: Props) {
  const [wide, narrow] = isWide ? [{ xl: 9 }, { xl: 3 }] : [{ lg: 8 }, { lg: 4 }]
  return (
    <Page
      {...page}
      parent={parentOf(kind)}
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

type TimelineRecord = Story["record"]

/** What happened to a record, in sentences, and the messages about it, newest first. */
function Timeline({ kind, record }: { kind: Kind; record: TimelineRecord }) {
  const { currency } = useMe().company
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useList(
    "audit-logs",
    { perPage: "20" },
    `/${kind}/${record.id}/history`,
  )
  const entries = data?.pages.flatMap((page) => page.data) ?? []
  const story = { kind, record, currency, isFinalizedLater: entries.some(isFinalized) }
  // Only documents that can be sent have messages.
  const messages = useMessagesOf(kind, record.id, "lastSentAt" in record)
  const told = woven(entries, messages, data !== undefined && !hasNextPage)
    .map((each) => ("entry" in each ? { ...each, sentences: sentencesOf(story, each.entry) } : each))
    .filter((each) => "message" in each || each.sentences.length > 0)
  if (told.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="timeline">
      <Title order={2} size="h5" mb="sm" id="timeline">
        {t(($) => $.title)}
      </Title>
      <List bulletSize={12} lineWidth={2} active={told.length}>
        {told.map((each) => (
          <List.Item key={"message" in each ? each.message.id : each.entry.id}>
            {"message" in each ? <TimelineMessage {...each} /> : <Entry {...each} />}
          </List.Item>
        ))}
      </List>
      {hasNextPage && (
        <Button
          variant="default"
          size="xs"
          mt="md"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
          aria-label={t(($) => $.showMoreLabel)}
        >
          {common(($) => $.common.showMore)}
        </Button>
      )}
    </Paper>
  )
}

type EntryProps = { entry: AuditEntry; sentences: Sentence[] }

const Entry = ({ entry, sentences }: EntryProps) =>
  isOfPaper(entry) ? (
    <ShortEntry entry={entry} sentences={sentences} />
  ) : (
    <>
      {sentences.map((sentence) => (
        <Text key={sentence("")} size="sm" style={{ overflowWrap: "anywhere" }}>
          <TextAround text={sentence}>
            <Text span inherit fw={600}>
              {actorOf(entry)}
            </Text>
          </TextAround>
        </Text>
      ))}
      <Text size="xs" c="dimmed" component="time" dateTime={entry.createdAt}>
        {ago(entry.createdAt)} · {moment(entry.createdAt)}
      </Text>
    </>
  )

/** An entry of little interest, in one line. */
const ShortEntry = ({ entry, sentences }: EntryProps) => (
  <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
    {sentences.map((sentence) => sentence(actorOf(entry))).join(", ")} ·{" "}
    <time dateTime={entry.createdAt} title={moment(entry.createdAt)}>
      {ago(entry.createdAt)}
    </time>
  </Text>
)
