import { Refusal } from "../../core/lib/refusal"
import type { Tx } from "../../core/write/writer"
import type { Logo } from "../../office/settings/store"
import type { Loaded } from "./contents"
import { missingIn } from "./e-invoice/missing"
import { xmlOf } from "./e-invoice/xml"
import type { Form, Missing, XmlFormat, XmlProfile } from "./model"
import { hashOf, ownForm, type IssuedKind, type Kept, type PaperStore } from "./papers"
import type { Pdf, PdfJob } from "./pdf/render"
import type { PdfRenderer } from "./pdf/renderer"

export type DownloadDeps = {
  papers: PaperStore
  renderer: PdfRenderer
  findLogo: (hash: string) => Logo | null
}

/** Who wants a file: a request, or work in the background. */
export type Asker = {
  /** The user in whose turn it is drawn. */
  share: string
  /** Aborted when the file is no longer wanted. */
  signal: AbortSignal
  /** Runs a write with the rights of who asks. */
  write: <T>(work: (tx: Tx) => T) => Promise<T>
}

/** A document, and the kind of an issued one. Orders have none: they are never issued. */
export type Source = { loaded: Loaded; kind: IssuedKind | null }

/**
 * Returns the PDF of a document. That of an issued document is drawn once in each language and kept. Others are drawn
 * each time.
 */
export async function pdfOf(deps: DownloadDeps, asker: Asker, { loaded, kind }: Source): Promise<Kept> {
  if (!loaded.isIssued || !kind) return shown(await draw(deps, asker, () => jobOf(deps, loaded, null)))
  const form: Form = `pdf-${loaded.paper.language}`
  const find = () => deps.papers.find(loaded.id, form)
  const stored = find()
  if (stored) return stored
  const xml = ownXmlOf(deps, loaded)
  // Another request may have stored it while this one waited.
  const pdf = await draw(deps, asker, () => (find() ? null : jobOf(deps, loaded, xml)))
  return asker.write((tx) => {
    if (xml !== null) deps.papers.keep(tx, kind, loaded, { form: ownForm, bytes: Buffer.from(xml) })
    return pdf ? deps.papers.keep(tx, kind, loaded, { form, ...pdf }) : shown(find())
  })
}

/** Returns the CII of an issued document; null if it would not be valid. */
function ownXmlOf({ papers }: DownloadDeps, { id, paper }: Loaded): string | null {
  const stored = papers.find(id, ownForm)
  if (stored) return new TextDecoder().decode(stored.bytes)
  return missingIn(paper, "en16931").length > 0 ? null : xmlOf(paper, "cii", "en16931")
}

const draw = (
  { renderer }: DownloadDeps,
  { share, signal }: Asker,
  jobOf: () => PdfJob | null,
): Promise<Pdf | null> => renderer.render(share, signal, jobOf)

const jobOf = ({ findLogo }: DownloadDeps, { paper }: Loaded, xml: string | null): PdfJob => {
  const { logo } = paper.seller
  return { paper, logo: logo === null ? null : findLogo(logo), xml }
}

/** A PDF that exists: it was drawn, or it is stored. */
function shown(pdf: Pdf | Kept | null): Kept {
  if (!pdf) throw new Error("A stored PDF is missing.")
  return { sha256: hashOf(pdf.bytes), ...pdf }
}

/** Returns the e-invoice of a document, which is kept. Refuses a document whose e-invoice would not be valid. */
export async function xmlFileOf(
  { papers }: DownloadDeps,
  { write }: Asker,
  { loaded, kind }: Source & { kind: IssuedKind },
  { format, profile }: { format: XmlFormat; profile: XmlProfile },
): Promise<Kept> {
  const form: Form = `${format}-${profile}`
  const stored = papers.find(loaded.id, form)
  if (stored) return stored
  const missing = missingIn(loaded.paper, profile)
  if (missing.length > 0) throw incomplete(missing, loaded.isIssued)
  const bytes = Buffer.from(xmlOf(loaded.paper, format, profile))
  return write((tx) => papers.keep(tx, kind, loaded, { form, bytes }))
}

const lacking = "The e-invoice would not be valid. The details say what is missing."
const lost =
  "The e-invoice would not be valid, because data was missing at issue. Enter it, credit the document, and issue it again."

const incomplete = (missing: readonly Missing[], isIssued: boolean): Refusal =>
  new Refusal("E_INVOICE_INVALID", isIssued ? lost : lacking, {
    details: missing.map(({ field, rule, message }) => ({ field, code: "RULE", rule, message })),
  })
