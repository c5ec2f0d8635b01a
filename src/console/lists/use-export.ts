import { callForBlob } from "../api/client"
import { number } from "../format"
import type { ListKind } from "../kinds"
import { saveFile } from "../parts/copy-field"
import { tellError, tellWarning } from "../parts/tell"
import { language, t } from "../texts"
import { csvStyleOf, type ExportFormat } from "./export-menu"
import { patiently } from "./read-all"
import { useJob } from "./use-job"

/** The most records that can be named in a query. */
const mostPicked = 100

type Query = Record<string, string>

/** Downloads the records that match the list, or some of them, as a file that the server writes and `file` names. */
export function useExport(kind: ListKind, query: Query, file: string = t(($) => $.kinds[kind].file)) {
  const { job, start } = useJob<{ loaded: number }>()

  const download = (format: ExportFormat, chosen: Query) =>
    start(async (signal, show) => {
      const params = new URLSearchParams({
        ...chosen,
        format,
        titles: language,
        ...(format === "csv" ? csvParameters() : {}),
      })
      const onProgress = ({ loaded }: { loaded: number }) => show({ loaded })
      onProgress({ loaded: 0 })
      try {
        const { blob } = await patiently(
          () => callForBlob("GET", `/${kind}/export?${params}`, { signal, onProgress }),
          signal,
        )
        saveFile(blob, `${file}.${format}`)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }).catch(tellError)

  return {
    job,
    exportAll(format: ExportFormat): void {
      const { perPage: _, ...matching } = query
      void download(format, matching)
    },
    /** Exports records that the user has picked. They are named by their ids, because they may no longer match. */
    exportPicked(format: ExportFormat, ids: readonly string[]): void {
      const { sort = "createdAt", order = "desc" } = query
      if (ids.length > mostPicked) tellWarning(t(($) => $.lists.mostPicked, { shown: number(mostPicked) }))
      else void download(format, { sort, order, "id[in]": ids.join(",") })
    },
  }
}

export type Exporting = ReturnType<typeof useExport>

/** A spreadsheet recognizes UTF-8 by the byte order mark. */
const csvParameters = (): Query => ({ ...csvStyleOf(navigator.languages), bom: "true" })
