import { Refusal } from "../../core/lib/refusal"
import type { Tx } from "../../core/write/writer"
import type { Logo } from "../../office/settings/service"
import { tradeRefusals } from "../documents/model"
import { type Loaded, paperFor } from "./contents"
import { isBlank, missingIn } from "./e-invoice/missing"
import { xmlOf } from "./e-invoice/xml"
import type { Form, Missing, Paper, XmlFormat, XmlProfile } from "./model"
import { hashOf, type IssuedKind, type Kept, type KeptKind, ownForm, type PaperStore } from "./papers"
import type { Pdf, PdfJob } from "./pdf/render"
import type { PdfRenderer } from "./pdf/renderer"

export type FileDeps = {
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

/** A document, and the kind of one whose PDF is kept. Orders have none: they are never issued. */
export type Source = { loaded: Loaded; kind: KeptKind | null }

/**
 * Returns the PDF of a document. That of an issued document is drawn once in each language and kept. Others are drawn
 * each time.
 */
export async function pdfOf(deps: FileDeps, asker: Asker, { loaded, kind }: Source): Promise<Kept> {
  if (!loaded.isIssued || !kind) return shown(await draw(deps, asker, () => jobOf(deps, loaded, null)))
  const form = pdfFormOf(loaded)
  const find = () => deps.papers.find(loaded.id, form)
  const stored = find()
  if (stored) return stored
  const xml = kind === "quotations" ? null : ownXmlOf(deps, loaded)
  // Another request may have stored it while this one waited.
  const pdf = await draw(deps, asker, () => (find() ? null : jobOf(deps, loaded, xml)))
  return asker.write((tx) => {
    if (xml !== null) deps.papers.keep(tx, kind, loaded, { form: ownForm, bytes: Buffer.from(xml) })
    return pdf ? deps.papers.keep(tx, kind, loaded, { form, ...pdf }) : shown(find())
  })
}

/** The form in which the PDF of a document is kept. */
export const pdfFormOf = ({ paper, revision }: Pick<Loaded, "paper" | "revision">): Form =>
  revision === undefined ? `pdf-${paper.language}` : `pdf-${paper.language}.${revision}`

/** Returns the CII of an issued document; null if it would not be valid. */
function ownXmlOf({ papers }: FileDeps, { id, paper }: Loaded): string | null {
  const stored = papers.find(id, ownForm)
  if (stored) return new TextDecoder().decode(stored.bytes)
  return missingIn(paper, "en16931").length > 0 ? null : xmlOf(paper, "cii", "en16931")
}

const draw = (
  { renderer }: FileDeps,
  { share, signal }: Asker,
  jobOf: () => PdfJob | null,
): Promise<Pdf | null> => renderer.render(share, signal, jobOf)

const jobOf = (deps: FileDeps, { paper }: Loaded, xml: string | null): PdfJob => paperJob(deps, paper, xml)

/** What the PDF of a paper is made of. */
export const paperJob = (
  { findLogo }: Pick<FileDeps, "findLogo">,
  paper: Paper,
  xml: string | null,
): PdfJob => {
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
  { papers }: FileDeps,
  { write }: Asker,
  { loaded, kind }: Source & { kind: IssuedKind },
  wanted: WantedXml,
): Promise<Kept> {
  const stored = papers.find(loaded.id, formOf(wanted))
  if (stored) return stored
  assertValid(loaded, wanted)
  return write((tx) => keepXml(papers, tx, { loaded, kind }, wanted))
}

export type WantedXml = { format: XmlFormat; profile: XmlProfile }

const formOf = ({ format, profile }: WantedXml): Form => `${format}-${profile}`

/** Returns the e-invoice of an issued document inside a write, which keeps it. */
export function keepXml(
  papers: PaperStore,
  tx: Tx,
  { loaded, kind }: Source & { kind: IssuedKind },
  wanted: WantedXml,
): Kept & { form: Form } {
  const form = formOf(wanted)
  const stored = papers.find(loaded.id, form)
  if (stored) return { form, ...stored }
  assertValid(loaded, wanted)
  const bytes = Buffer.from(xmlOf(paperFor(loaded, wanted.profile), wanted.format, wanted.profile))
  return { form, ...papers.keep(tx, kind, loaded, { form, bytes }) }
}

function assertValid(loaded: Loaded, { profile }: WantedXml): void {
  const missing = missingIn(paperFor(loaded, profile), profile)
  if (missing.length > 0) throw incomplete(missing, loaded.isIssued)
}

/**
 * True for a document with a reference of its buyer, which is the Leitweg-ID of a public customer, that is a valid XRechnung:
 * who gives a reference wants one.
 */
export const isXrechnung = (loaded: Loaded): boolean =>
  !isBlank(loaded.paper.buyerReference) && missingIn(paperFor(loaded, "xrechnung"), "xrechnung").length === 0

/** The rules that an issued document can still meet, because it takes from today how its parties are reached. */
const metLater = ["BR-DE-6", "BR-DE-7", "PEPPOL-EN16931-R010"]

const lacking = "The e-invoice would not be valid. The details say what is missing."
const lost =
  "The e-invoice would not be valid, because data was missing at issue. Enter it, credit the document, and issue it again."

const incomplete = (missing: readonly Missing[], isIssued: boolean): Refusal =>
  new Refusal(
    tradeRefusals.E_INVOICE_INVALID,
    isIssued && missing.some(({ rule }) => !metLater.includes(rule)) ? lost : lacking,
    { details: missing.map(({ field, rule, message }) => ({ field, code: "RULE", rule, message })) },
  )

/** The name of a file of a document. A number may contain slashes, which names of files cannot have. */
export const fileNameOf = ({ number, kind }: Paper, parts: readonly string[]): string =>
  [number ?? `${kind}-draft`, ...parts].join(".").replaceAll("/", "-")

/** What the name of an e-invoice says about it, if it is not of the usual form. */
export const xmlParts = ({ format, profile }: WantedXml): string[] => [
  ...[profile, format].filter((name) => name !== "en16931" && name !== "cii"),
  "xml",
]
