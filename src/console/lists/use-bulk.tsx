import { useQueryClient } from "@tanstack/react-query"
import type { Kind } from "../api/types"
import { number } from "../format"
import type { ListKind } from "../kinds"
import { confirm } from "../parts/confirm"
import { tellError, tellWarning } from "../parts/tell"
import { t } from "../texts"
import { runBulk, type BulkAction } from "./bulk"
import { downloadAll } from "./download-all"
import { tellFailures, useTellSuccess } from "./tell-bulk"
import { readAll } from "./read-all"
import { useChangeGuard } from "./use-change-guard"
import type { Selection } from "./use-rows"
import { useJob, type ShowProgress } from "./use-job"
import { mostFiles } from "./zip"

type Props<T> = {
  kind: ListKind
  query: Record<string, string>
  selection: Selection<T>
  nameOf: (row: T) => string
  /** The fields that the actions need, if not all. */
  fields?: readonly string[]
}

/** Runs an action on all selected records, and asks before the user leaves the page while it changes them. */
function useRun<T>({ kind, query, selection, nameOf, fields }: Props<T>) {
  const { job, start } = useJob()
  const guard = useChangeGuard()
  const { picked, count, isAll } = selection

  const run = (action: BulkAction<T>) =>
    start(async (signal, show) => {
      const { label, done } = action
      guard.show({ done, changed: 0, total: count })
      const rows = isAll ? await readRows<T>(kind, queryOf(query, fields), signal, show) : picked
      const total = rows.length
      const onProgress = (finished: number, failed: number) => {
        show({ label, finished, total })
        guard.show({ done, changed: finished - failed, total })
      }
      onProgress(0, 0)
      const file = t(($) => $.kinds[kind].file)
      const outcome = await ("download" in action
        ? downloadAll({ kind, rows, action, signal, onProgress, nameOf, file })
        : runBulk({ kind, rows, action, signal, onProgress }))
      return { rows, ...outcome }
    })
  return {
    job,
    run: (action: BulkAction<T>) => ("download" in action ? run(action) : guard.during(() => run(action))),
  }
}

/** Runs an action on all selected records. Those that it failed for stay selected, and a message names them. */
export function useBulk<T>(props: Props<T>) {
  const { kind, selection, nameOf } = props
  const client = useQueryClient()
  const { job, run } = useRun(props)
  const { count, isAll, selectRows } = selection
  const tellSuccess = useTellSuccess<T>(kind, nameOf)

  const perform = async (action: BulkAction<T>) => {
    const { label, done, isDangerous } = action
    if ("download" in action && count > mostFiles)
      return tellWarning(t(($) => $.paper.tooMany, { shown: number(mostFiles) }))
    const text = t(($) => $.kinds[kind].selected, { count, shown: number(count) })
    if ((isDangerous || isAll) && !(await confirm({ title: `${label}?`, text, action: label, isDangerous })))
      return
    try {
      const { rows, failures, unreached } = await run(action)
      // The user has stopped it before anything was changed.
      if (unreached.length === rows.length) return
      await client.invalidateQueries()
      selectRows([...failures.map(({ row }) => row), ...unreached])
      const others = new Set([...failures.map(({ row }) => row), ...unreached])
      const succeeded = rows.filter((row) => !others.has(row))
      const isStopped = unreached.length > 0
      if (succeeded.length > 0 || isStopped) tellSuccess(action, succeeded, isStopped ? rows.length : null)
      if (failures.length > 0) tellFailures(done, failures, nameOf)
    } catch (error) {
      tellError(error)
    }
  }
  return { job, perform }
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
