import { Type } from "@sinclair/typebox"
import { ok } from "../../core/http/answer/envelope"
import { type Call, callerOf } from "../../core/http/request/call"
import { isUnchanged } from "../../core/http/request/if-none-match"
import type { Writes } from "../../core/http/request/write"
import { askAgain } from "../../core/http/answer/record-answer"
import { get, type Parameter, type Route, type RouteCall } from "../../core/http/route/route"
import type { MailText, Resource } from "../../core/kind/define"
import type { Tx } from "../../core/write/writer"
import { badQuery, type Params, readParams } from "../../core/kind/query"
import { type Language, languages } from "../../shared/languages"
import { asCancelled, type Loaded, paperFor } from "./contents"
import { missingIn } from "./e-invoice/missing"
import { type Asker, type FileDeps, fileNameOf, pdfOf, xmlFileOf, xmlParts } from "./files"
import type { IssuedKind, Kept, KeptKind } from "./papers"
import { xmlFormats, xmlProfiles } from "./model"

/** How the documents of a kind are put on paper. */
export type Papers = {
  /** Set for the kinds whose documents are issued; they have an e-invoice. */
  issued: IssuedKind | null
  /** Set for a kind that is not issued, and whose PDFs are kept once it was sent. */
  keptAs?: KeptKind
  load: (id: string, language: Language | null) => Loaded
  /** True for letters: there is no e-invoice of them to check, and no former page to print. */
  isLetter?: true
  /** True for offers: there is no e-invoice of them to check, and no former page to print. */
  isOffer?: true
  /** Sending one by mail may change it first. */
  beforeSending?: (tx: Tx, id: string) => void
  /** The page on which the customer answers, if there is one. */
  page?: {
    isOn: () => boolean
    /** Returns a new link to it, which replaces the one before; null if the document cannot be answered any more. */
    open: (tx: Tx, id: string) => string | null
  }
  /** The statuses with which all its files are refused. */
  refuses: number[]
  /** What mail with a document needs to know of it. */
  mailed: (id: string) => Mailed
}

/** A document as mail knows it. */
export type Mailed = {
  customer: string
  /** A draft is not sent. */
  isDraft: boolean
  /** True when it goes to the customer's address for invoices. */
  isBilling: boolean
  /** What is left to pay of it, in plain numbers. */
  balance: number
  /** What mail with it says, if that is not in the settings. */
  text?: MailText | undefined
}
type PaperKind = Papers & { kind: Resource }

/** The files of a document: its PDF, the XML of an issued document, and what it lacks for an e-invoice. */
export const paperRoutes = (of: PaperKind, deps: PaperDeps): Route[] => [
  ...(of.isLetter || of.isOffer ? [] : [printRoute(of)]),
  pdfRoute(of, deps),
  ...(of.issued ? [xmlRoute(of, of.issued, deps)] : []),
  ...(of.isLetter || of.isOffer ? [] : [checkRoute(of)]),
]

type PaperDeps = FileDeps & { writes: Writes }

/** A request as who asks for a file. It may have to wait. */
function askerOf({ writes }: PaperDeps, call: Call): Asker {
  call.keepOpen()
  return {
    share: callerOf(call).userId,
    signal: call.signal(),
    write: (work) => writes.runInRead(call, work),
  }
}

/** The former page to print. Only who could get the PDF is redirected to it. */
function printRoute({ kind, load, refuses }: PaperKind): Route {
  return get(
    `/${kind.name}/:id/print`,
    {
      may: kind.rights.read,
      id: `print${kind.title}`,
      tag: kind.name,
      summary: `Go to the PDF of one ${kind.noun}`,
      description: "Redirects to the PDF, which is made to be printed.",
      names: { id: kind.noun },
      parameters: () => [languageChoice.parameter],
      answer: { status: 302, description: "The PDF is at `Location`.", headers: ["Location"] },
      refuses,
    },
    ({ call, params, set }) => {
      const language = languageChoice.in(readParams(call.query, [languageChoice.name]))
      const { id } = load(params.id ?? "", language)
      set.status = 302
      set.headers["location"] = `/api/v1/${kind.name}/${id}/pdf${language ? `?language=${language}` : ""}`
    },
  )
}

function pdfRoute(of: PaperKind, deps: PaperDeps): Route {
  const { kind, issued, keptAs, load, refuses, isLetter } = of
  const choices = isLetter ? [] : [languageChoice, ...(issued ? [stateChoice] : [])]
  return get(
    `/${kind.name}/:id/pdf`,
    {
      may: kind.rights.read,
      id: `get${kind.title}Pdf`,
      tag: kind.name,
      summary: `Get one ${kind.noun} as a PDF`,
      description: keptAs
        ? `A PDF for A4 paper. That of a ${kind.noun} that was sent is created at the first download of each revision in each language and never changes. Returns 503 while too many PDFs are being created.`
        : issued
          ? `A PDF for A4 paper. That of ${kind.name === "invoices" ? "an issued invoice" : `a ${kind.noun}`} is created at the first download in each language and never changes. It is a Factur-X file (PDF/A-3 with the CII inside) if its data suffice. ${kind.name === "invoices" ? "After a cancellation it is drawn anew, with a mark that says so, unless `state` is `issued`. " : ""}If the fonts lack letters of the document, the PDF is not PDF/A and the response has the header \`Kontor-Warning: GLYPHS_MISSING\`. Returns 503 while too many PDFs are being created.`
          : `A PDF for A4 paper, with the ${isLetter ? "" : "current "}data of the company and of the customer${isLetter ? " as they were when it was made" : ""}. Returns 503 while too many PDFs are being created.`,
      names: { id: kind.noun },
      parameters: () => choices.map(({ parameter }) => parameter),
      answer: {
        status: 200,
        description: "The PDF.",
        type: "application/pdf",
        schema: Type.String({ format: "binary" }),
        headers: issued || keptAs ? ["ETag", "Kontor-Warning"] : ["Kontor-Warning"],
      },
      refuses,
      takesIfNoneMatch: issued !== null || keptAs !== undefined,
    },
    async ({ call, params, request, set }) => {
      const given = readParams(
        call.query,
        choices.map(({ name }) => name),
      )
      const language = languageChoice.in(given)
      const found = load(params.id ?? "", language)
      const wanted = language === null ? found : { ...found, paper: { ...found.paper, language } }
      const isMarked = wanted.isCancelled === true && stateChoice.in(given) === "current"
      const loaded = isMarked ? asCancelled(wanted) : wanted
      const file = await pdfOf(deps, askerOf(deps, call), { loaded, kind: keptAs ?? issued })
      if (file.hasMissingGlyphs) set.headers["kontor-warning"] = "GLYPHS_MISSING"
      const variant = loaded.paper.language === found.paper.language ? [] : [loaded.paper.language]
      const mark = isMarked ? ["cancelled"] : []
      return answerFile(file, { request, set }, loaded, [...variant, ...mark, "pdf"])
    },
  )
}

function xmlRoute({ kind, load }: PaperKind, issued: IssuedKind, deps: PaperDeps): Route {
  return get(
    `/${kind.name}/:id/xml`,
    {
      may: kind.rights.read,
      id: `get${kind.title}Xml`,
      tag: kind.name,
      summary: `Get one ${kind.noun} as an e-invoice`,
      description: `The XML of ${kind.name === "invoices" ? "an issued invoice" : `a ${kind.noun}`}. It never changes. If it would not be valid, the response is 422, and its details are the list \`missing\` of the check.`,
      names: { id: kind.noun },
      parameters: () => [formatChoice.parameter, profileChoice.parameter],
      answer: {
        status: 200,
        description: "The e-invoice.",
        type: "application/xml",
        schema: Type.String(),
        headers: ["ETag"],
      },
      refuses: [404, 422],
      takesIfNoneMatch: true,
    },
    async ({ call, params, request, set }) => {
      const given = readParams(call.query, [formatChoice.name, profileChoice.name])
      const wanted = { format: formatChoice.in(given), profile: profileChoice.in(given) }
      const loaded = load(params.id ?? "", null)
      const file = await xmlFileOf(deps, askerOf(deps, call), { loaded, kind: issued }, wanted)
      return answerFile(file, { request, set }, loaded, xmlParts(wanted))
    },
  )
}

const checkSchema = Type.Object(
  {
    valid: Type.Boolean(),
    missing: Type.Array(
      Type.Object({
        field: Type.String({ examples: ["seller.vatId"] }),
        rule: Type.String({ examples: ["BR-S-02"] }),
        message: Type.String(),
      }),
    ),
  },
  { $id: "EInvoiceCheck" },
)

/** What a check tells, by the kind. An order is checked before it is invoiced. */
const checked: Partial<Record<string, string>> = {
  invoices: "A draft is checked as if it were issued now.",
  "credit-notes": "A credit note cannot be completed; bill anew.",
}

function checkRoute({ kind, issued, load, refuses }: PaperKind): Route {
  return get(
    `/${kind.name}/:id/e-invoice`,
    {
      may: kind.rights.read,
      id: `check${kind.title}EInvoice`,
      tag: kind.name,
      summary: issued
        ? `Check whether one ${kind.noun} is a valid e-invoice`
        : `Check whether the invoice of one ${kind.noun} would be a valid e-invoice`,
      description: `Returns what is missing for a valid e-invoice: the field, and the rule of EN 16931 or XRechnung that requires it. ${checked[kind.name] ?? "It is checked as if it were invoiced now."}`,
      names: { id: kind.noun },
      parameters: () => [profileChoice.parameter],
      answer: { status: 200, description: "What is missing.", schema: checkSchema },
      refuses,
    },
    ({ call, params }) => {
      const profile = profileChoice.in(readParams(call.query, [profileChoice.name]))
      const loaded = load(params.id ?? "", null)
      const missing = missingIn(paperFor(loaded, profile), profile, {
        ignoreNumber: issued === null || loaded.paper.mark === "draft",
      })
      return ok({ valid: missing.length === 0, missing })
    },
  )
}

type Asked = Pick<RouteCall, "request" | "set">
const types = { pdf: "application/pdf", xml: "application/xml; charset=utf-8" }

/** Responds with a file. Clients may store that of an issued document. `parts` are the end of its name. */
function answerFile(file: Kept, { request, set }: Asked, { paper, isIssued }: Loaded, parts: string[]) {
  const name = fileNameOf(paper, parts)
  const as = name.endsWith(".pdf") ? "pdf" : "xml"
  const { headers } = set
  if (isIssued) {
    const etag = `"${file.sha256}"`
    Object.assign(headers, { etag, "cache-control": askAgain })
    if (isUnchanged(request, etag)) {
      set.status = 304
      return undefined
    }
  }
  headers["content-type"] = types[as]
  headers["content-disposition"] = dispositionOf(name)
  // A text is compressed, if the client accepts that. A PDF is compressed already.
  return as === "xml" ? new TextDecoder().decode(file.bytes) : new Response(new Uint8Array(file.bytes))
}

const dispositionOf = (name: string): string => `inline; filename="${name}"`

/** A parameter with few values. */
const choice = <T extends string, D extends T | null>(
  name: string,
  values: readonly T[],
  fallback: D,
  description: string,
) => {
  const parameter: Parameter = {
    name,
    in: "query",
    description,
    schema: Type.Unsafe({ type: "string", enum: [...values], ...(fallback && { default: fallback }) }),
  }
  return {
    name,
    parameter,
    in(params: Params): T | D {
      const given = params.get(name)
      if (given === undefined) return fallback
      const found = values.find((value) => value === given)
      if (found) return found
      throw badQuery(name, "FORMAT", `must be one of ${values.join(", ")}`, { allowed: values })
    },
  }
}

const languageChoice = choice(
  "language",
  languages,
  null,
  "The default is the language of the customer at issue, then that of the settings.",
)
const stateChoice = choice(
  "state",
  ["current", "issued"],
  "current",
  "`issued` is the PDF as it was issued, also of an invoice that was cancelled later.",
)
const formatChoice = choice("format", xmlFormats, "cii", "CII (UN/CEFACT Cross Industry Invoice) or UBL 2.1.")
const profileChoice = choice(
  "profile",
  xmlProfiles,
  "en16931",
  "EN 16931, or XRechnung, which the public sector in Germany requires.",
)
