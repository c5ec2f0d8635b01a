import { Button, Group } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { number } from "../format"
import type { ListKind } from "../kinds"
import { tellDone, tellError } from "../parts/tell"
import { t } from "../texts"
import { undoBulk, type BulkAction, type Failure } from "./bulk"
import { changedInWords } from "./use-change-guard"

/** The time in ms in which an action can be undone. */
const undoTime = 15_000

/** Tells what a bulk action has done. If the action can be undone, the message has a button for that. */
export function useTellSuccess<T>(kind: ListKind, nameOf: (row: T) => string) {
  const client = useQueryClient()
  const takeBack = async (rows: T[], undo: NonNullable<BulkAction<T>["undo"]>) => {
    const { count, failures } = await undoBulk(kind, rows, undo)
    await client.invalidateQueries()
    tellDone(t(($) => $.lists.undone, { shown: number(count) }))
    if (failures.length > 0) tellFailures("activated", failures, nameOf)
  }
  /** `total` is the number of selected records if the action was stopped before it has reached all of them. */
  return ({ done, undo }: BulkAction<T>, rows: T[], total: number | null) => {
    const message =
      total === null
        ? t(($) => $.lists.done[done], { shown: number(rows.length) })
        : `${changedInWords({ done, changed: rows.length, total })} ${t(($) => $.lists.othersStay)}`
    if (!undo) return tellDone(message)
    tellDone(<Undoable message={message} onUndo={() => takeBack(rows, undo).catch(tellError)} />, undoTime)
  }
}

const Undoable = ({ message, onUndo }: { message: string; onUndo: () => void }) => (
  <Group justify="space-between" wrap="nowrap">
    {message}
    <Button size="compact-sm" variant="default" onClick={onUndo}>
      {t(($) => $.lists.undo)}
    </Button>
  </Group>
)

const mostNamed = 5

/** Names the records that an action failed for. */
export function tellFailures<T>(
  done: BulkAction<T>["done"],
  failures: Failure<T>[],
  nameOf: (row: T) => string,
): void {
  const count = failures.length
  const more = count - mostNamed
  notifications.show({
    title: t(($) => $.lists.failed[done], { count, shown: number(count) }),
    message: (
      <>
        {failures.slice(0, mostNamed).map(({ row, message }, i) => (
          <div key={i}>
            {nameOf(row)}: {message}
          </div>
        ))}
        {more > 0 && <div>{t(($) => $.lists.moreFailed, { shown: number(more) })}</div>}
      </>
    ),
    color: "red",
    autoClose: false,
  })
}
