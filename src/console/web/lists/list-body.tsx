import { Alert, Button, Center, Group, Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { messageOf } from "../api/client"
import { number, plural } from "../format"
import { ListSkeleton } from "./list-skeleton"

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
  <Alert color="red" title="Could not load this list" role="alert">
    <Text size="sm" mb="sm">
      {messageOf(error)}
    </Text>
    <Button size="xs" variant="default" onClick={() => onRetry()}>
      Try again
    </Button>
  </Alert>
)

type NothingProps = {
  noun: string
  intro?: string
  isNarrowed: boolean
  onClear: () => void
  children?: ReactNode
}

export function Nothing({ noun, intro, isNarrowed, onClear, children }: NothingProps) {
  return (
    <Center py={64}>
      <Stack align="center" gap="sm" maw={420}>
        <Title order={2} size="h4">
          {isNarrowed ? `No ${plural(noun)} found` : `No ${plural(noun)} yet`}
        </Title>
        <Text c="dimmed" ta="center">
          {isNarrowed ? "Try a different search or other filters." : intro}
        </Text>
        {isNarrowed ? (
          <Button variant="default" onClick={onClear}>
            Show all
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
      {number(shown)} of {number(total)}
    </Text>
    {list.hasNextPage && (
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        Show more
      </Button>
    )}
  </Group>
)
