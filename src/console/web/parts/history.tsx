import { Button, Paper, Text, Timeline } from "@mantine/core"
import { useList } from "../api/hooks"
import type { AuditEntry, Kind } from "../api/types"
import { shown } from "../forms/conflict-dialog"
import { moment, words } from "../format"

type Describe = (field: string, value: unknown) => string | undefined
type Props = {
  kind: Kind
  id: string
  /** Describes the value of a field, if the value itself is not readable. */
  describe?: Describe
}

/** The history of a record, newest entry first. */
export function History({ kind, id, describe }: Props) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useList(
    "audit-logs",
    { perPage: "20" },
    `/${kind}/${id}/history`,
  )
  const entries = data?.pages.flatMap((page) => page.data) ?? []
  if (entries.length === 0) return null
  return (
    <Paper withBorder p="md">
      <Text fw={600} mb="sm">
        History
      </Text>
      <Timeline bulletSize={12} lineWidth={2} active={entries.length}>
        {entries.map((entry) => (
          <Timeline.Item key={entry.id}>
            <Entry entry={entry} describe={describe} />
          </Timeline.Item>
        ))}
      </Timeline>
      {hasNextPage && (
        <Button
          variant="default"
          size="xs"
          mt="md"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
          aria-label="Show more history"
        >
          Show more
        </Button>
      )}
    </Paper>
  )
}

function Entry({ entry, describe }: { entry: AuditEntry; describe?: Describe }) {
  const inWords = (field: string, value: unknown) => describe?.(field, value) ?? shown(value)
  return (
    <>
      <Text size="sm">
        {words(entry.action.split(".").at(-1) ?? "")} · {entry.actorName ?? words(entry.actorType)}
      </Text>
      <Text size="xs" c="dimmed">
        {moment(entry.createdAt)}
      </Text>
      {readableChanges(entry).map(([field, { from, to }]) => (
        <Text key={field} size="xs">
          {words(field)}: {inWords(field, from)} → {inWords(field, to)}
        </Text>
      ))}
    </>
  )
}

/** Leaves out the values of a new record, which the page shows anyway, and ids, which are not readable. */
const readableChanges = ({ action, changes }: AuditEntry) =>
  action.endsWith(".create")
    ? []
    : Object.entries(changes)
        .filter(([, { from, to }]) => !isId(from) && !isId(to))
        .slice(0, 6)

const isId = (value: unknown) => typeof value === "string" && /^[a-z]{2,3}_[0-9a-z]{26}$/.test(value)
