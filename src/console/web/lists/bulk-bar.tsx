import { Button, Group, Paper, Text } from "@mantine/core"
import type { Kind } from "../api/types"
import { number } from "../format"
import type { BulkAction } from "./bulk"
import type { Column } from "./columns"
import { saveAsCsv } from "./csv"
import { JobProgress } from "./job-progress"
import { useBulk } from "./use-bulk"
import type { Selection } from "./use-rows"

type Props<T> = {
  kind: Kind
  query: Record<string, string>
  selection: Selection<T>
  columns: Column<T>[]
  noun: string
  actions: BulkAction<T>[]
  nameOf: (row: T) => string
  onExportAll: () => void
}

/** The actions for the selected records. It stays mounted without a selection, because an action may still run. */
export function BulkBar<T>(props: Props<T>) {
  const { selection, columns, noun, onExportAll } = props
  const { picked, isAll, count, selectable, selectAll, selectRows } = selection
  const { job, perform } = useBulk(props)
  if (!job && count === 0) return null
  return (
    <Paper withBorder p="xs" mb="sm" role="region" aria-label="Selected records">
      {job ? (
        <JobProgress {...job} />
      ) : (
        <Group gap="sm">
          <Text size="sm" fw={600}>
            {isAll ? `All ${number(count)} selected` : `${number(count)} selected`}
          </Text>
          {selectable !== null && (
            <Button size="xs" variant="light" onClick={selectAll}>
              Select all {number(selectable)} that match
            </Button>
          )}
          <Actions actions={props.actions} onPerform={perform} />
          <Button
            size="xs"
            variant="default"
            onClick={() => (isAll ? onExportAll() : saveAsCsv(picked, columns, noun))}
          >
            Export CSV
          </Button>
          <Button size="xs" variant="subtle" onClick={() => selectRows([])}>
            Clear selection
          </Button>
        </Group>
      )}
    </Paper>
  )
}

type ActionsProps<T> = { actions: BulkAction<T>[]; onPerform: (action: BulkAction<T>) => void }

const Actions = <T,>({ actions, onPerform }: ActionsProps<T>) =>
  actions.map((action) => (
    <Button
      key={action.label}
      size="xs"
      variant={action.isDangerous ? "light" : "default"}
      color={action.isDangerous ? "red" : undefined}
      onClick={() => onPerform(action)}
    >
      {action.label}
    </Button>
  ))
