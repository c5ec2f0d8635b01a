import { Alert, Button, Center, Group, Skeleton, Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { messageOf } from "../api/client"
import { number } from "../format"
import type { ListKind } from "../kinds"
import { t } from "../texts"

type Props = {
  list: {
    data: unknown
    error: unknown
    isError: boolean
    isPending: boolean
    refetch: () => unknown
  }
  /** The content of an empty list. */
  nothing: ReactNode
  isEmpty: boolean
  children: ReactNode
}

/** The rows, or the loading, error or empty state. */
export function ListBody({ list, nothing, isEmpty, children }: Props) {
  if (list.isError && !list.data) return <Failed error={list.error} onRetry={list.refetch} />
  if (list.isPending) return <ListSkeleton />
  return isEmpty ? nothing : children
}

const Failed = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <Alert color="red" title={t(($) => $.lists.loadFailed)} role="alert">
    <Text size="sm" mb="sm">
      {messageOf(error)}
    </Text>
    <Button size="xs" variant="default" onClick={() => onRetry()}>
      {t(($) => $.common.tryAgain)}
    </Button>
  </Alert>
)

type NothingProps = {
  kind: ListKind
  intro?: string
  isNarrowed: boolean
  onClear: () => void
  children?: ReactNode
}

export function Nothing({ kind, intro, isNarrowed, onClear, children }: NothingProps) {
  return (
    <Center py={64}>
      <Stack align="center" gap="sm" maw={420}>
        <Title order={2} size="h4">
          {t(($) => (isNarrowed ? $.kinds[kind].none : $.kinds[kind].noneYet))}
        </Title>
        <Text c="dimmed" ta="center">
          {isNarrowed ? t(($) => $.lists.tryOther) : intro}
        </Text>
        {isNarrowed ? (
          <Button variant="default" onClick={onClear}>
            {t(($) => $.lists.showAll)}
          </Button>
        ) : (
          children
        )}
      </Stack>
    </Center>
  )
}

type MoreProps = {
  shown: number
  total: number
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The number of rows, and the button that loads more. */
export const More = ({ shown, total, list }: MoreProps) => (
  <Group justify="space-between" mt="md">
    <Text size="sm" c="dimmed" aria-live="polite">
      {t(($) => $.lists.shownOf, { shown: number(shown), total: number(total) })}
    </Text>
    {list.hasNextPage && (
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {t(($) => $.common.showMore)}
      </Button>
    )}
  </Group>
)

const rows = Array.from({ length: 12 }, (_, i) => i)

/** Grey bars in place of the rows, until they are loaded. */
const ListSkeleton = () => (
  <Stack gap={0} role="status" aria-label={t(($) => $.common.loading)}>
    {rows.map((i) => (
      <div key={i} className="skeleton-row">
        <Skeleton height={14} width={`${90 - (i % 4) * 10}%`} />
      </div>
    ))}
  </Stack>
)
