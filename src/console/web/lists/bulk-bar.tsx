import { Button, Group, Paper, Text } from "@mantine/core"
import { number } from "../format"
import type { ListKind } from "../kinds"
import { t } from "../texts"
import type { BulkAction } from "./bulk"
import type { Column } from "./columns"
import { saveAsCsv } from "./csv"
import { JobProgress } from "./job-progress"
import { useBulk } from "./use-bulk"
import type { Selection } from "./use-rows"

type Props<T> = {
  kind: ListKind
  query: Record<string, string>
  selection: Selection<T>
  columns: Column<T>[]
  actions: BulkAction<T>[]
  nameOf: (row: T) => string
  onExportAll: () => void
}

/** The actions for the selected records. It stays mounted without a selection, because an action may still run. */
export function BulkBar<T>(props: Props<T>) {
  const { selection } = props
  const { isAll, count, selectable, selectAll, selectRows } = selection
  const { job, perform } = useBulk(props)
  if (!job && count === 0) return null
  return (
    <Paper withBorder p="xs" mb="sm" role="region" aria-label={t(($) => $.lists.selectedRecords)}>
      {job ? (
        <JobProgress {...job} />
      ) : (
        <Group gap="sm">
          <Text size="sm" fw={600}>
            {t(($) => (isAll ? $.lists.allSelected : $.lists.selected), { shown: number(count) })}
          </Text>
          {selectable !== null && (
            <Button size="xs" variant="light" onClick={selectAll}>
              {t(($) => $.lists.selectMatching, { shown: number(selectable) })}
            </Button>
          )}
          <Actions actions={props.actions} onPerform={perform} />
          <ExportButton {...props} />
          <Button size="xs" variant="subtle" onClick={() => selectRows([])}>
            {t(($) => $.lists.clearSelection)}
          </Button>
        </Group>
      )}
    </Paper>
  )
}

function ExportButton<T>({ kind, selection: { picked, isAll }, columns, onExportAll }: Props<T>) {
  const exportPicked = () =>
    saveAsCsv(
      picked,
      columns,
      t(($) => $.kinds[kind].file),
    )
  return (
    <Button size="xs" variant="default" onClick={() => (isAll ? onExportAll() : exportPicked())}>
      {t(($) => $.lists.exportCsv)}
    </Button>
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
