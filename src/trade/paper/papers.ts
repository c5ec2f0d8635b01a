import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { Refusal } from "../../core/lib/refusal"
import type { Loaded } from "./contents"
import { missingIn } from "./e-invoice/missing"
import { xmlOf } from "./e-invoice/xml"
import type { Form } from "./model"
import { allPapers, findPaper, findValues, insertPaper, keepValues, type PaperRow } from "./store"

/** A form of a document. */
export type Kept = { sha256: string; bytes: Uint8Array; hasMissingGlyphs: boolean }

/** The kinds whose documents are issued. */
export type IssuedKind = "invoices" | "credit-notes"
/** The kinds whose PDFs are kept: a quotation can be revised, and has no e-invoice. */
export type KeptKind = IssuedKind | "quotations"

/** The form that is stored at issue, and that is attached to PDFs. */
export const ownForm: Form = "cii-en16931"

/** The kept forms of issued documents. A form is stored once and never changes. */
export const paperStore = (db: Database) => ({
  find: (document: string, form: Form): Kept | null => find(db, document, form),
  /** Lists all kept forms, one at a time, because together they can be larger than the memory. */
  *all() {
    for (const { document, form, ...row } of allPapers(db)) yield { document, form, ...keptIn(row) }
    return undefined
  },
  keep: (tx: Tx, kind: KeptKind, loaded: Loaded, made: Made): Kept => keep(db, tx, kind, loaded, made),
  /** Stores what an issued document prints, and its CII if that is valid. */
  issue(tx: Tx, kind: IssuedKind, loaded: Loaded): void {
    keepValues(db, loaded.id, loaded.values)
    if (missingIn(loaded.paper, "en16931").length > 0) return
    const bytes = Buffer.from(xmlOf(loaded.paper, "cii", "en16931"))
    keep(db, tx, kind, loaded, { form: ownForm, bytes })
  },
})

export type PaperStore = ReturnType<typeof paperStore>

type Made = { form: Form; bytes: Uint8Array; hasMissingGlyphs?: boolean }

function find(db: Database, document: string, form: Form): Kept | null {
  const row = findPaper(db, document, form)
  return row && keptIn(row)
}

const keptIn = (row: Omit<PaperRow, "document" | "form">): Kept => ({
  sha256: row.sha256,
  bytes: bytesOf(row),
  hasMissingGlyphs: row.hasMissingGlyphs === 1,
})

/** Stores a form with its hash in the audit log. Returns the stored one if another request was first. */
function keep(
  db: Database,
  tx: Tx,
  kind: KeptKind,
  { id, values, revision }: Loaded,
  { form, bytes, hasMissingGlyphs = false }: Made,
): Kept {
  const found = find(db, id, form)
  if (found) return found
  // A revision never changes. Of others, the values from before this release are stored with the first form.
  if (revision === undefined) {
    keepValues(db, id, values)
    if (!Bun.deepEquals(findValues(db, id), values)) throw edited()
  }
  const sha256 = hashOf(bytes)
  const flags = { hasMissingGlyphs: Number(hasMissingGlyphs) }
  insertPaper(db, { document: id, form, sha256, ...packed(form, bytes), ...flags }, tx.now)
  tx.audit(`${kind}.paper`, id, { [form]: { from: null, to: sha256 } })
  return { sha256, bytes, hasMissingGlyphs }
}

/** The document was edited, and put on paper by another request, while this one made a form of it. */
const edited = (): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", "The document was put on paper in the meantime. Try again.", {
    headers: { "retry-after": "1" },
  })

/** A PDF is compressed already. */
const packed = (form: Form, bytes: Uint8Array): Pick<PaperRow, "bytes" | "isPacked"> =>
  form.startsWith("pdf")
    ? { bytes, isPacked: 0 }
    : { bytes: Bun.gzipSync(new Uint8Array(bytes), { level: 1, library: "libdeflate" }), isPacked: 1 }

/** Returns the bytes of a form as they were made. */
export const bytesOf = ({ bytes, isPacked }: Pick<PaperRow, "bytes" | "isPacked">): Uint8Array =>
  isPacked === 1 ? Bun.gunzipSync(new Uint8Array(bytes)) : bytes

export const hashOf = (bytes: Uint8Array): string => Bun.SHA256.hash(new Uint8Array(bytes), "hex")
