import type { Caller } from "../../core/caller"
import type { Term } from "../../core/store/filter"
import type { Selection } from "../../core/store/plan"
import { languages } from "../../shared/languages"
import type { TitledColumn } from "../sheets/columns"
import type { CsvStyle } from "../sheets/write/csv"
import type { ShownRecord } from "../sheets/write/records"

export const exportFormats = ["csv", "xlsx", "ndjson"] as const
export type ExportFormat = (typeof exportFormats)[number]

/** What the titles of a table are: the names of fields, or their titles in a language. */
export const titleForms = ["names", ...languages] as const
export type TitleForm = (typeof titleForms)[number]

export const mediaTypes: Record<ExportFormat, string> = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ndjson: "application/x-ndjson",
}

/** The content type of a file. Text is always UTF-8. */
export const contentTypeOf = (format: ExportFormat): string =>
  format === "csv" ? `${mediaTypes.csv}; charset=utf-8` : mediaTypes[format]

/** A table, and the field whose lines have a row each; null if each record has one. */
type Table = { columns: TitledColumn[]; lines: string | null }

/** How records are written. Without `fields`, NDJSON has all. */
export type Written =
  | (Table & { format: "csv"; style: CsvStyle })
  | (Table & { format: "xlsx"; digits: number })
  | { format: "ndjson"; fields: string[] | undefined }

/** The records of a list, as a file. */
export type ListJob = { type: "list"; kind: string; selection: Selection; written: Written }

/** All records of all kinds, as one archive. */
export type ArchiveJob = { type: "archive"; version: string; createdAt: string }

export type ExportJob = ListJob | ArchiveJob

/** What an export needs from the service of a kind. */
export type Exportable = {
  /** Returns the records with these ids, as the list does. */
  findMany(ids: readonly string[], signal: AbortSignal | null): Promise<{ id: string }[]>
  /** The conditions that restrict the list of a caller. Without them, a caller who may read the kind sees all. */
  within?: (caller: Caller) => Term[]
  /** What a table shows of records: it names others as people and imports do, by their codes, names and numbers. */
  inTable?: InTable
}

export type InTable = (records: readonly ShownRecord[]) => ShownRecord[]
