import { Button, Group, Paper, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { number } from "../format"
import type { ListKind } from "../kinds"
import { t } from "../texts"
import type { BulkAction } from "./bulk"
import { ExportMenu } from "./export-menu"
import { JobProgress } from "./job-progress"
import type { Exporting } from "./use-export"
import { useBulk } from "./use-bulk"
import type { Selection } from "./use-rows"

type Props<T> = {
  kind: ListKind
  query: Record<string, string>
  selection: Selection<T>
  actions: BulkAction<T>[]
  nameOf: (row: T) => string
  /** The fields of a record that the actions and `nameOf` need. Without them, whole records are read. */
  fields?: readonly string[]
  exporting: Exporting
  /** More controls, such as a menu of the fields that can be changed. */
  edit?: (given: BulkEdit<T>) => ReactNode
}

/** What a control for the selected records needs. */
export type BulkEdit<T> = {
  query: Record<string, string>
  selection: Selection<T>
  perform: (action: BulkAction<T>) => void
}

/** The actions for the selected records. It stays mounted without a selection, because an action may still run. */
export function BulkBar<T extends { id: string }>(props: Props<T>) {
  const { selection, query, edit } = props
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
          {edit?.({ query, selection, perform: (action) => void perform(action) })}
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

function ExportButton<T extends { id: string }>({ selection: { picked, isAll }, exporting }: Props<T>) {
  const { job, exportAll, exportPicked } = exporting
  const ids = picked.map(({ id }) => id)
  return (
    <ExportMenu
      isBusy={job !== null}
      onExport={(format) => (isAll ? exportAll(format) : exportPicked(format, ids))}
    >
      <Button size="xs" variant="default" disabled={job !== null}>
        {t(($) => $.lists.export)}
      </Button>
    </ExportMenu>
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
