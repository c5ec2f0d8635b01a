import type { ImportErrorReason } from "../faults"
import { mostImportBytes } from "../../../shared/suggestions"
import { call } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import { t } from "./texts"
import {
  type DuplicateChoice,
  type Format,
  type Import,
  type ImportKind,
  type ImportMode,
  mayHaveDuplicates,
  type PriceSense,
} from "./kinds"
import { megabytes, shownParams } from "./params"

/** The parts of the format that a person has set. The server recognizes the others. */
export type GivenFormat = Partial<Omit<Format, "type" | "isDecimalGuessed" | "isDateOrderGuessed">>

export type Settings = {
  kind: ImportKind
  mode: ImportMode
  format: GivenFormat
  /** The column of each field; null to let the server match all of them. */
  mapping: ReadonlyMap<string, string | null> | null
  /** Whether the prices of fields include tax, as the person has said it. */
  prices: Readonly<Record<string, PriceSense>>
  /** True to leave out rows of sums at the end of the file. */
  skipTotals: boolean
  /** What becomes of rows that are records which exist already. */
  duplicates: DuplicateChoice
}

/** `dryRun` only checks the file, and `skipInvalid` imports the other rows if some are wrong. */
export type SendOptions = { dryRun: boolean; skipInvalid: boolean }

const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
const types: Record<string, string> = {
  csv: "text/csv",
  tsv: "text/csv",
  txt: "text/csv",
  xlsx: xlsxType,
  ndjson: "application/x-ndjson",
  jsonl: "application/x-ndjson",
}

/** The files that the browser offers to choose. */
export const acceptedFiles = Object.keys(types)
  .map((each) => `.${each}`)
  .join(",")

export const extensionOf = (name: string): string | null =>
  /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? null

/** Why the server refuses files with these extensions. */
const refusals: Record<string, ImportErrorReason> = {
  xls: "OLD_EXCEL",
  xlsb: "BINARY_EXCEL",
  ods: "OPEN_DOCUMENT",
}

export function problemOf({ name, size }: File): string | null {
  const extension = extensionOf(name)
  const reason = extension === null ? undefined : refusals[extension]
  if (reason) return t(($) => $.refused[reason], shownParams({}))
  if (extension !== null && !Object.hasOwn(types, extension)) return t(($) => $.wrongType, { name })
  if (size === 0) return t(($) => $.empty, { name })
  const isXlsx = extension === "xlsx"
  const most = isXlsx ? mostImportBytes.xlsx : mostImportBytes.csv
  if (size <= most) return null
  return t(($) => $.tooLarge, { name, type: isXlsx ? "XLSX" : "CSV", most: megabytes(most) })
}

/**
 * Sends a file to be checked (`dryRun`) or imported. The type of the body depends on the name of the file, because
 * browsers take it from the programs that are installed.
 */
export async function sendFile(
  file: File,
  settings: Settings,
  options: SendOptions,
  { idempotencyKey, signal }: { idempotencyKey: string; signal: AbortSignal },
): Promise<Import> {
  await assertReadable(file)
  const type = types[extensionOf(file.name) ?? ""] ?? "application/octet-stream"
  const query = queryOf(file, settings, options)
  const body = file.slice(0, file.size, type)
  return (await call<Import>("POST", `/imports?${query}`, { file: body, idempotencyKey, signal })).data
}

/** A browser cannot read a file that was changed since it was chosen. That must not look like a problem of the network. */
async function assertReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw new ApiError(
      0,
      "FILE_CHANGED",
      t(($) => $.fileChanged, { name: file.name }),
    )
  }
}

const longestFileName = 200

export function queryOf(
  file: Pick<File, "name">,
  { kind, mode, format, mapping, prices, skipTotals, duplicates }: Settings,
  { dryRun, skipInvalid }: SendOptions,
): URLSearchParams {
  const query = new URLSearchParams({ kind, mode, fileName: file.name.slice(-longestFileName) })
  if (dryRun) query.set("dryRun", "true")
  if (skipInvalid) query.set("skipInvalid", "true")
  for (const [name, value] of Object.entries(format))
    if (value !== undefined && value !== null) query.set(name, value === "\t" ? "tab" : String(value))
  const senses = Object.entries(prices).map(([field, sense]) => `${field}:${sense}`)
  if (senses.length > 0) query.set("prices", senses.join(","))
  if (!skipTotals) query.set("skipTotals", "false")
  if (mayHaveDuplicates({ kind, mode })) query.set("duplicates", duplicates)
  if (mapping) query.set("mapping", mappingText(mapping))
  return query
}

/** itemCode:Art.%2C%20Nr.,itemName: – a field without a column is left out. */
const mappingText = (mapping: ReadonlyMap<string, string | null>): string =>
  [...mapping].map(([field, column]) => `${field}:${column === null ? "" : encoded(column)}`).join(",")

/** A title that is only a hyphen would mean that the field has no column. */
const encoded = (title: string): string => (title.trim() === "-" ? "%2D" : encodeURIComponent(title))
