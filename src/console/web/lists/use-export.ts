import { notifications } from "@mantine/notifications"
import { number } from "../format"
import { tellError } from "../parts/tell"
import { t } from "../texts"
import type { Column } from "./columns"
import { csvHead, csvLines, csvStyleOf, saveCsv } from "./csv"
import { mostRecords, readAll } from "./read-all"
import { useJob } from "./use-job"

type Props<T> = {
  path: string
  query: Record<string, string>
  columns: Column<T>[]
  /** Returns the columns for some rows, if they need other records. */
  columnsFor?: (rows: T[]) => Promise<Column<T>[]>
  /** The name of the file. */
  name: string
}

/** Saves all records that match the list as a CSV file. It reads them page by page. */
export function useExport<T>({ path, query, columns, columnsFor, name }: Props<T>) {
  const { job, start } = useJob()
  const keys = columns.map(({ key }) => key)
  const chosenFor = async (rows: T[]) =>
    columnsFor ? (await columnsFor(rows)).filter(({ key }) => keys.includes(key)) : columns
  const exportAll = () =>
    start(async (signal, show) => {
      const style = csvStyleOf(navigator.languages)
      const texts = [csvHead(columns, style)]
      let count = 0
      for await (const { rows, read, total } of readAll<T>(path, query, signal)) {
        texts.push(csvLines(rows, await chosenFor(rows), style))
        show({ label: t(($) => $.lists.export), finished: read, total })
        count = read
      }
      if (signal.aborted) return
      saveCsv(texts, name)
      if (count >= mostRecords)
        notifications.show({
          message: t(($) => $.lists.mostExported, { shown: number(mostRecords) }),
          color: "yellow",
          autoClose: false,
        })
    }).catch(tellError)
  return { job, exportAll }
}
