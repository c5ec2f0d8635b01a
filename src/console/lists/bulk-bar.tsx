import { Button, Group, Paper, Text } from "@mantine/core"
import { type ReactNode, useRef, useState } from "react"
import { number } from "../format"
import type { ListKind } from "../kinds"
import { t } from "../texts"
import { type Exporting, ExportMenu } from "./export-menu"
import { JobProgress, type ShowProgress, useJob } from "./job-progress"
import type { Selection } from "./use-rows"
import { useQueryClient } from "@tanstack/react-query"
import type { Kind } from "../api/types"
import { confirm, type Question } from "../parts/confirm"
import { heldIds } from "../api/held"
import { tellDone, tellError, tellWarning, Undoable } from "../parts/tell"
import { useDeleteLater } from "../parts/use-delete"
import {
  type BulkAction,
  type ChangeAction,
  deleteAtOnce,
  type DownloadAction,
  type Failure,
  mostHeld,
  runBulk,
  undoBulk,
  type Versions,
} from "./bulk-run"
import { readAll } from "./read-all"
import { mostFiles, saveZip } from "./zip"
import { call, type DownloadedFile, hasMissingGlyphs } from "../api/client"
import { notifications } from "@mantine/notifications"
import { useUnsavedGuard } from "../forms/unsaved"

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
      exporting={exporting}
      onExport={(file) => (isAll ? exportAll(file) : exportPicked(file, ids))}
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

type UseBulkProps<T> = {
  kind: ListKind
  query: Record<string, string>
  selection: Selection<T>
  nameOf: (row: T) => string
  /** The fields that the actions need, if not all. */
  fields?: readonly string[]
}

/** Runs an action on all selected records, and asks before the user leaves the page while it changes them. */
function useRun<T extends { id: string }>({ kind, query, selection, nameOf, fields }: UseBulkProps<T>) {
  const { job, start } = useJob()
  const guard = useChangeGuard()
  const { picked, count, isAll } = selection

  const run = (action: BulkAction<T>, isDry: boolean) =>
    start(async (signal, show) => {
      const { label, done } = action
      guard.show({ done, changed: 0, total: count })
      const held = heldIds(kind)
      const found = isAll ? await readRows<T>(kind, queryOf(query, fields), signal, show) : picked
      const rows = found.filter(({ id }) => !held.has(id))
      const total = rows.length
      const onProgress = (finished: number, failed: number) => {
        show({ label, finished, total })
        guard.show({ done, changed: finished - failed, total })
      }
      onProgress(0, 0)
      const file = t(($) => $.kinds[kind].file)
      const outcome = await ("download" in action
        ? downloadAll({ kind, rows, action, signal, onProgress, nameOf, file })
        : runBulk({ kind, rows, action, signal, onProgress, isDry }))
      return { rows, ...outcome }
    })
  return {
    job,
    run: (action: BulkAction<T>, isDry: boolean) =>
      "download" in action || isDry ? run(action, isDry) : guard.during(() => run(action, false)),
  }
}

/** Runs an action on all selected records. Those that it failed for stay selected, and a message names them. */
function useBulk<T extends { id: string }>(props: UseBulkProps<T>) {
  const { kind, selection, nameOf } = props
  const client = useQueryClient()
  const { job, run } = useRun(props)
  const { count, isAll, selectRows } = selection
  const tellSuccess = useTellSuccess<T>(kind, nameOf)
  const deleteLater = useDeleteRowsLater<T>(kind, nameOf)

  const perform = async (action: BulkAction<T>) => {
    const { done, isDangerous, about } = action
    if ("download" in action && count > mostFiles)
      return tellWarning(t(($) => $.lists.tooManyFiles, { shown: number(mostFiles) }))
    const isHeld = isDelete(action) && count <= mostHeld
    try {
      if ((isDangerous || isAll || about) && !(await confirm(await questionOf(props, action)))) return
      const { rows, failures, unreached, versions } = await run(action, isHeld)
      // The user has stopped it before anything was changed.
      if (unreached.length === rows.length) return
      await client.invalidateQueries()
      selectRows([...failures.map(({ row }) => row), ...unreached])
      const others = new Set([...failures.map(({ row }) => row), ...unreached])
      const succeeded = rows.filter((row) => !others.has(row))
      const isStopped = unreached.length > 0
      const total = isStopped ? rows.length : null
      if (isHeld && succeeded.length > 0) deleteLater(action, succeeded, total)
      else if (succeeded.length > 0 || isStopped) tellSuccess(action, { rows: succeeded, versions }, total)
      if (failures.length > 0) tellFailures(done, failures, nameOf)
    } catch (error) {
      tellError(error)
    }
  }
  return { job, perform }
}

/** The question before an action: how many records are selected, and what the action tells of the first ones. */
async function questionOf<T>(
  { kind, query, selection: { picked, count, isAll } }: UseBulkProps<T>,
  { label, isDangerous, about }: BulkAction<T>,
): Promise<Question> {
  const selected = t(($) => $.kinds[kind].selected, { count, shown: number(count) })
  if (!about) return { title: `${label}?`, text: selected, action: label, isDangerous }
  const page = new URLSearchParams({ ...query, page: "1", perPage: String(about.most) })
  const rows = isAll ? (await call<T[]>("GET", `/${kind}?${page}`)).data : picked.slice(0, about.most)
  const text = (
    <>
      {selected}
      {await about.tell(rows, count)}
    </>
  )
  return { title: `${label}?`, text, action: label, isDangerous, size: "lg" }
}

const queryOf = (query: Record<string, string>, fields?: readonly string[]): Record<string, string> =>
  fields ? { ...query, fields: fields.join(",") } : query

/** Reads all records that match before the first one is updated, because an update may change which ones match. */
async function readRows<T>(
  kind: Kind,
  query: Record<string, string>,
  signal: AbortSignal,
  show: ShowProgress,
): Promise<T[]> {
  const all: T[] = []
  for await (const { rows, read, total } of readAll<T>(`/${kind}`, query, signal)) {
    all.push(...rows)
    show({ label: t(($) => $.lists.reading), finished: read, total })
  }
  return all
}

type Download<T> = {
  kind: Kind
  rows: readonly T[]
  action: DownloadAction<T>
  signal: AbortSignal
  onProgress: (finished: number, failed: number) => void
  nameOf: (row: T) => string
  /** The name of the zip. */
  file: string
}

const none: Versions = new Map()

/**
 * Downloads one file for each record, one after another, and saves them as one zip. Each file has the name of its record,
 * because all drafts have the same name on the server. Nothing is saved if the user stops it.
 */
async function downloadAll<T>({ action, nameOf, file, ...rest }: Download<T>) {
  const found: { row: T; file: DownloadedFile }[] = []
  const run = async (row: T) => found.push({ row, file: await action.download(row, rest.signal) })
  const { download: _, ...plain } = action
  const outcome = await runBulk({ ...rest, action: { ...plain, run } })
  if (rest.signal.aborted) return { failures: [], unreached: rest.rows, versions: none }
  const entries = found.map(async ({ row, file: { blob, name } }) => ({
    name: nameOf(row) + (/\.\w+$/.exec(name ?? "")?.[0] ?? ""),
    bytes: new Uint8Array(await blob.arrayBuffer()),
  }))
  if (entries.length > 0) await saveZip(await Promise.all(entries), file)
  const replaced = found.filter((each) => hasMissingGlyphs(each.file)).map(({ row }) => nameOf(row))
  if (replaced.length > 0)
    tellWarning(
      t(($) => $.lists.glyphsMissingIn, { names: replaced.join(", ") }),
      false,
    )
  return outcome
}

/** The time in ms in which an action can be undone. */
const undoTime = 15_000

/** Tells what a bulk action has done. If the action can be undone, the message has a button for that. */
function useTellSuccess<T>(kind: ListKind, nameOf: (row: T) => string) {
  const client = useQueryClient()
  const takeBack = async ({ rows, versions }: Done<T>, undo: NonNullable<BulkAction<T>["undo"]>) => {
    const { count, failures } = await undoBulk(kind, rows, undo, versions)
    await client.invalidateQueries()
    tellDone(t(($) => $.lists.undone, { shown: number(count) }))
    if (failures.length > 0) tellFailures("undone", failures, nameOf)
  }
  /** `total` is the number of selected records if the action was stopped before it has reached all of them. */
  return ({ done, undo }: BulkAction<T>, finished: Done<T>, total: number | null) => {
    const message = doneInWords(done, finished.rows.length, total)
    if (!undo) return tellDone(message)
    tellDone(
      <Undoable message={message} onUndo={() => takeBack(finished, undo).catch(tellError)} />,
      undoTime,
    )
  }
}

/** The records that an action has changed, and their versions since. */
type Done<T> = { rows: T[]; versions: Versions }

/** `total` is the number of selected records if the action was stopped before it has reached all of them. */
const doneInWords = (done: BulkAction<never>["done"], changed: number, total: number | null): string =>
  total === null
    ? t(($) => $.lists.done[done], { shown: number(changed) })
    : `${changedInWords({ done, changed, total })} ${t(($) => $.lists.othersStay)}`

type DeleteAction<T> = Extract<ChangeAction<T>, { operation: unknown }>

const isDelete = <T,>(action: BulkAction<T>): action is DeleteAction<T> =>
  "operation" in action && action.done === "deleted"

/** Deletes records a while later, so that the user can take it back, and names those that could not be deleted then. */
function useDeleteRowsLater<T extends { id: string }>(kind: ListKind, nameOf: (row: T) => string) {
  const deleteLater = useDeleteLater()
  return (action: DeleteAction<T>, rows: T[], total: number | null): void => {
    const { signal } = new AbortController()
    const send = async () => {
      const { failures } = await runBulk({ kind, rows, action, signal, onProgress: () => {} })
      if (failures.length > 0) tellFailures("deleted", failures, nameOf)
    }
    deleteLater({
      kind,
      ids: rows.map(({ id }) => id),
      message: doneInWords("deleted", rows.length, total),
      send: (isLeaving) => (isLeaving ? deleteAtOnce(kind, rows, action.operation) : send().catch(tellError)),
    })
  }
}

const mostNamed = 5

/** Names the records that an action failed for. */
function tellFailures<T>(
  done: BulkAction<T>["done"] | "undone",
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

/** How many records of a bulk action are changed. */
type Changed = { done: BulkAction<never>["done"]; changed: number; total: number }

/** How far a bulk action has come: "400 of 1,523 changed." */
const changedInWords = ({ done, changed, total }: Changed): string =>
  t(($) => $.lists.done[done], {
    shown: t(($) => $.lists.shownOf, { shown: number(changed), total: number(total) }),
  })

/** Asks before the user leaves the list while a bulk action runs, because the action ends with the page. */
function useChangeGuard() {
  const [isRunning, setRunning] = useState(false)
  const latest = useRef<Changed>({ done: "changed", changed: 0, total: 0 })
  useUnsavedGuard(isRunning, () => ({
    title: t(($) => $.lists.notFinished),
    text: `${changedInWords(latest.current)} ${t(($) => $.lists.leaveText)}`,
    action: t(($) => $.lists.leave),
    dismiss: t(($) => $.lists.stay),
  }))
  return {
    show: (changed: Changed): void => {
      latest.current = changed
    },
    /** Runs the action and asks until it has ended. */
    during: async <R,>(work: () => Promise<R>): Promise<R> => {
      setRunning(true)
      try {
        return await work()
      } finally {
        setRunning(false)
      }
    },
  }
}
