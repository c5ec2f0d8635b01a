import { Button, Paper, Text, Timeline as List, Title } from "@mantine/core"
import { useList, useMe } from "../../console/api/hooks"
import type { AuditEntry, Kind } from "../../console/api/types"
import { ago, moment } from "../../console/format"
import { t } from "../../console/texts"
import { TextAround } from "../../console/parts/text-around"
import { actorOf, isFinalized, isOfPaper, sentencesOf, type Sentence, type Story } from "./timeline-sentences"

export type TimelineRecord = Story["record"]

/** What happened to a record, in sentences, newest first. */
export function Timeline({ kind, record }: { kind: Kind; record: TimelineRecord }) {
  const { currency } = useMe().company
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useList(
    "audit-logs",
    { perPage: "20" },
    `/${kind}/${record.id}/history`,
  )
  const entries = data?.pages.flatMap((page) => page.data) ?? []
  const story = { kind, record, currency, isFinalizedLater: entries.some(isFinalized) }
  const told = entries
    .map((entry) => ({ entry, sentences: sentencesOf(story, entry) }))
    .filter(({ sentences }) => sentences.length > 0)
  if (told.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="timeline">
      <Title order={2} size="h5" mb="sm" id="timeline">
        {t(($) => $.timeline.title)}
      </Title>
      <List bulletSize={12} lineWidth={2} active={told.length}>
        {told.map(({ entry, sentences }) => (
          <List.Item key={entry.id}>
            <Entry entry={entry} sentences={sentences} />
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
          aria-label={t(($) => $.timeline.showMoreLabel)}
        >
          {t(($) => $.common.showMore)}
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
