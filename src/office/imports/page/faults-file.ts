import { escapeCsv } from "../../../shared/sheet-escape"
import { callForText } from "../../../console/api/client"
import { csvStyleOf } from "../../../console/lists/csv-style"
import { saveFile } from "../../../console/parts/save-file"
import { t } from "../../../console/texts"
import { faultInWords } from "./fault-words"
import { nameOfField, type Import } from "./kinds"

/** Saves all faults of an import as a CSV file in the user's language. An import has only the first ones. */
export async function saveFaults({
  id,
  kind,
  fileName,
}: Pick<Import, "id" | "kind" | "fileName">): Promise<void> {
  const text = await callForText(`/imports/${id}/faults?format=ndjson`)
  const faults = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Import["faults"][number])
  const { delimiter } = csvStyleOf(navigator.languages)
  const titles = [
    t(($) => $.imports.row),
    t(($) => $.imports.column),
    t(($) => $.imports.field),
    t(($) => $.imports.fault),
  ]
  const rows = faults.map((fault) => [
    String(fault.row ?? ""),
    fault.column ?? "",
    fault.field === null ? "" : nameOfField(fault.field, kind),
    faultInWords(fault, kind),
  ])
  const lines = [titles, ...rows].map((cells) => lineOf(cells, delimiter))
  // By the byte order mark, Excel recognizes UTF-8.
  const blob = new Blob(["\ufeff", ...lines], { type: "text/csv;charset=utf-8" })
  const name = (fileName ?? id).replace(/\.[^.]*$/, "")
  saveFile(
    blob,
    t(($) => $.imports.faultsFile, { name }),
  )
}

const lineOf = (cells: readonly string[], delimiter: string): string =>
  `${cells.map((cell) => quoted(escapeCsv(cell))).join(delimiter)}\r\n`

const quoted = (cell: string): string => (/["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
