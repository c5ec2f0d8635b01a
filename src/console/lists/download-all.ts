import { hasMissingGlyphs, type DownloadedFile } from "../api/client"
import type { Kind } from "../api/types"
import { tellWarning } from "../parts/tell"
import { t } from "../texts"
import { runBulk, type DownloadAction } from "./bulk"
import { saveZip } from "./zip"

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

/**
 * Downloads one file for each record, one after another, and saves them as one zip. Each file has the name of its record,
 * because all drafts have the same name on the server. Nothing is saved if the user stops it.
 */
export async function downloadAll<T>({ action, nameOf, file, ...rest }: Download<T>) {
  const found: { row: T; file: DownloadedFile }[] = []
  const run = async (row: T) => found.push({ row, file: await action.download(row, rest.signal) })
  const { download: _, ...plain } = action
  const outcome = await runBulk({ ...rest, action: { ...plain, run } })
  if (rest.signal.aborted) return { failures: [], unreached: rest.rows }
  const entries = found.map(async ({ row, file: { blob, name } }) => ({
    name: nameOf(row) + (/\.\w+$/.exec(name ?? "")?.[0] ?? ""),
    bytes: new Uint8Array(await blob.arrayBuffer()),
  }))
  if (entries.length > 0) await saveZip(await Promise.all(entries), file)
  const replaced = found.filter((each) => hasMissingGlyphs(each.file)).map(({ row }) => nameOf(row))
  if (replaced.length > 0)
    tellWarning(
      t(($) => $.paper.glyphsMissingIn, { names: replaced.join(", ") }),
      false,
    )
  return outcome
}
