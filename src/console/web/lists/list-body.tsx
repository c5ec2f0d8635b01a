import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { messageOf } from "../api/client"
import { number } from "../format"

type Props = {
  list: {
    data: unknown
    error: unknown
    isError: boolean
    isPending: boolean
    refetch: () => unknown
  }
  /** What is shown where nothing was found. */
  nothing: ReactNode
  isEmpty: boolean
  children: ReactNode
}

/** The rows; or why there are none. */
export function ListBody({ list, nothing, isEmpty, children }: Props) {
  if (list.isError && !list.data) return <Failed error={list.error} onRetry={list.refetch} />
  if (list.isPending)
    return (
      <Center h={240}>
        <Loader aria-label="Loading" />
      </Center>
    )
  return isEmpty ? nothing : children
}

const Failed = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <Alert color="red" title="This list cannot be shown" role="alert">
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
          {isNarrowed ? `No ${noun} fits` : `No ${noun} yet`}
        </Title>
        <Text c="dimmed" ta="center">
          {isNarrowed ? "Try fewer words or other filters." : intro}
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

/** How many rows are shown, and the way to the next ones. */
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
