import type { Database } from "../../core/engine/engine"
import type { Form, PrintedValues } from "./model"

/** A kept form of an issued document, as it is stored. */
export type PaperRow = {
  document: string
  form: Form
  /** The hash of the form itself, also when it is stored as gzip. */
  sha256: string
  bytes: Uint8Array
  isPacked: number
  hasMissingGlyphs: number
}

const columns = "document, form, sha256, bytes, is_packed AS isPacked, has_missing_glyphs AS hasMissingGlyphs"

export const findPaper = (db: Database, document: string, form: Form): PaperRow | null =>
  db
    .query<PaperRow, [string, string]>(`SELECT ${columns} FROM papers WHERE document = ? AND form = ?`)
    .get(document, form)

export function insertPaper(db: Database, row: PaperRow, now: string): void {
  const { document, form, sha256, bytes, isPacked, hasMissingGlyphs } = row
  db.query(
    `INSERT INTO papers (document, form, sha256, bytes, is_packed, has_missing_glyphs, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(document, form, sha256, bytes, isPacked, hasMissingGlyphs, now)
}

/** Lists all kept forms, one at a time, because together they can be larger than the memory. */
export const allPapers = (db: Database): IterableIterator<PaperRow> =>
  db.query<PaperRow, []>(`SELECT ${columns} FROM papers ORDER BY seq`).iterate()

/** Lists the audit entries that name the hashes of kept forms. */
export const paperEntries = (db: Database): { document: string; changes: string }[] =>
  db
    .query<{ document: string; changes: string }, []>(
      `SELECT record_id AS document, changes FROM audit_logs
       WHERE action = 'invoices.paper' OR action = 'credit-notes.paper' OR action = 'quotations.paper' ORDER BY seq`,
    )
    .all()

/** Lists the documents that have a kept form, and not the values from which others would be made. Revisions need none. */
export const documentsWithoutValues = (db: Database): string[] =>
  db
    .query<{ document: string }, []>(
      `SELECT DISTINCT document FROM papers
       WHERE form NOT LIKE '%.%' AND NOT EXISTS (SELECT 1 FROM paper_values WHERE paper_values.document = papers.document)`,
    )
    .all()
    .map(({ document }) => document)

/** Lists the logos of now and before. Each has at most 256 KiB. */
export const allLogos = (db: Database): { hash: string; bytes: Uint8Array }[] =>
  db.query<{ hash: string; bytes: Uint8Array }, []>("SELECT hash, bytes FROM logos").all()

type ValuesRow = { notes: string | null; dueDate: string | null; unitCodes: string }

export function findValues(db: Database, document: string): PrintedValues | null {
  const row = db
    .query<ValuesRow, [string]>(
      "SELECT notes, due_date AS dueDate, unit_codes AS unitCodes FROM paper_values WHERE document = ?",
    )
    .get(document)
  return row && { ...row, unitCodes: JSON.parse(row.unitCodes) as Record<string, string> }
}

/** Stores the values of a document, unless they are stored already. */
export function keepValues(db: Database, document: string, values: PrintedValues): void {
  db.query(
    `INSERT INTO paper_values (document, notes, due_date, unit_codes) VALUES (?, ?, ?, ?)
     ON CONFLICT (document) DO NOTHING`,
  ).run(document, values.notes, values.dueDate, JSON.stringify(values.unitCodes))
}
