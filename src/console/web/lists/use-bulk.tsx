import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import type { Kind } from "../api/types"
import { number, plural } from "../format"
import { confirm } from "../parts/confirm"
import { tellDone, tellError } from "../parts/tell"
import { runBulk, type BulkAction, type Failure } from "./bulk"
import { readAll } from "./read-all"
import type { Selection } from "./use-rows"
import { useJob, type ShowProgress } from "./use-job"

type Props<T> = {
  kind: Kind
  query: Record<string, string>
  selection: Selection<T>
  noun: string
  nameOf: (row: T) => string
}

/** Runs an action on all selected records. Those that it failed for stay selected, and a message names them. */
export function useBulk<T>({ kind, query, selection, noun, nameOf }: Props<T>) {
  const client = useQueryClient()
  const { job, start } = useJob()
  const { picked, count, isAll, selectRows } = selection

  const run = (action: BulkAction<T>) =>
    start(async (signal, show) => {
      const rows = isAll ? await readRows<T>(kind, query, signal, show) : picked
      const onProgress = (finished: number) => show({ label: action.label, finished, total: rows.length })
      onProgress(0)
      return { rows, ...(await runBulk({ kind, rows, action, signal, onProgress })) }
    })

  const perform = async (action: BulkAction<T>) => {
    const { label, done, isDangerous } = action
    const text = `${number(count)} ${count === 1 ? noun : plural(noun)} selected.`
    if ((isDangerous || isAll) && !(await confirm({ title: `${label}?`, text, action: label, isDangerous })))
      return
    try {
      const { rows, failures, unreached } = await run(action)
      // The user has stopped it before anything was changed.
      if (unreached.length === rows.length) return
      await client.invalidateQueries()
      selectRows([...failures.map(({ row }) => row), ...unreached])
      const succeeded = rows.length - failures.length - unreached.length
      if (succeeded > 0) tellDone(`${number(succeeded)} ${done}.`)
      if (failures.length > 0) tellFailures(done, failures, nameOf)
    } catch (error) {
      tellError(error)
    }
  }
  return { job, perform }
}

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
    show({ label: "Reading", finished: read, total })
  }
  return all
}

const mostNamed = 5

function tellFailures<T>(done: string, failures: Failure<T>[], nameOf: (row: T) => string): void {
  const more = failures.length - mostNamed
  notifications.show({
    title: `${number(failures.length)} could not be ${done}`,
    message: (
      <>
        {failures.slice(0, mostNamed).map(({ row, message }, i) => (
          <div key={i}>
            {nameOf(row)}: {message}
          </div>
        ))}
        {more > 0 && <div>And {number(more)} more. They are still selected.</div>}
      </>
    ),
    color: "red",
    autoClose: false,
  })
}
