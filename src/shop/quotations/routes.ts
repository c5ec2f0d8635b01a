import { Type } from "@sinclair/typebox"
import { ref } from "../../core/http/openapi/kind-schemas"
import type { Call } from "../../core/http/request/call"
import { callerOf } from "../../core/http/request/call"
import { created, type Writes } from "../../core/http/request/write"
import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import { checked, post, type Preparing, remove, type Route } from "../../core/http/route/route"
import { body, type BodyOf, emptyBody } from "../../core/kind/body"
import { instant } from "../../core/kind/field"
import { text } from "../../core/kind/text-field"
import type { LogoService } from "../../office/settings/logo"
import { statusRoute } from "../../trade/documents/status"
import type { PaperContents } from "../../trade/paper/contents"
import { type Asker, pdfOf } from "../../trade/paper/files"
import type { PaperStore } from "../../trade/paper/papers"
import type { PdfRenderer } from "../../trade/paper/pdf/renderer"
import { quotations } from "./model"
import { quotationPapers } from "./paper"
import { transitions } from "./rules"
import type { Proof, QuotationService } from "./service"

type Needs = {
  quotations: QuotationService
  paper: PaperContents
  papers: PaperStore
  renderer: PdfRenderer
  logos: LogoService
  writes: Writes
}

const { name: tag, rights, noun } = quotations

/** Returns a function that draws and keeps the PDF of a quotation as it is now, to which an acceptance is bound. */
export function proving({ logos, ...the }: Omit<Needs, "writes">) {
  const { load, keptAs = null } = quotationPapers(the)
  const deps = { ...the, findLogo: logos.find }
  return async (asker: Asker, id: string, { isKept = true } = {}): Promise<Proof> => {
    const loaded = load(id, null)
    const { sha256 } = await pdfOf(deps, asker, { loaded, kind: isKept ? keptAs : null })
    return { revision: loaded.revision ?? 1, sha256 }
  }
}

const linkBody = body({ expiresAt: instant() }, { example: {}, isOptional: true })

const linkAnswer = Type.Object(
  {
    createdAt: Type.String({ format: "date-time" }),
    expiresAt: Type.Unsafe({ type: ["string", "null"], format: "date-time" }),
    url: Type.Optional(
      Type.String({
        format: "uri",
        description: "Only in this response, and missing in a replayed one (see Idempotency-Key)",
      }),
    ),
  },
  { $id: "QuotationPage" },
)

/** The fields with which staff say who has accepted. */
const acceptance = {
  acceptedBy: text({ examples: ["Jonas Weber"] }),
  reference: text({ examples: ["Order 4711 by phone"] }),
}

/** Quotations: the common routes, status changes, an order from one, and the public page. */
export const quotationRoutes = (the: Needs, deps: BusinessDeps): Route[] => {
  const { quotations: service, writes } = the
  const prove = proving(the)
  /** The PDF is drawn before a write that accepts. A dry run keeps nothing. */
  const proofOf = async (call: Call, id: string): Promise<Proof | undefined> => {
    if (service.findHead(id)?.status !== "sent") return undefined
    call.keepOpen()
    const isKept = !writes.isDryRun(call)
    const write: Asker["write"] = (work) => writes.runInRead(call, work)
    return prove({ share: callerOf(call).userId, signal: call.signal(), write }, id, { isKept })
  }
  const whenAccepting = async ({ call, params: { id = "" }, body }: Preparing) =>
    (body as { status?: string }).status === "accepted" ? proofOf(call, id) : undefined
  return [
    ...businessRoutes(quotations, service, deps),
    statusRoute(quotations, service, {
      transitions,
      summary: "Change the status of a quotation",
      about:
        "`sent` says that the customer has it; `POST …/send` does that too. `accepted` may have `acceptedBy` and `reference`, also after `validUntil`; it stores the revision and the SHA-256 of its PDF, which is kept.",
      example: "sent",
      fields: acceptance,
      prepare: whenAccepting,
    }),
    duplicateRoute(service),
    orderRoute(service, ({ call, params: { id = "" } }) => proofOf(call, id)),
    linkRoute(service),
    remove(
      `/${tag}/:id/link`,
      {
        may: rights.write,
        id: "closeQuotationPage",
        tag,
        summary: "Close the public page of a quotation",
        names: { id: noun },
        answer: { status: 204, description: "There is no public page any more." },
        refuses: [404],
        takesIfMatch: false,
      },
      (tx, { params }) => service.closePage(tx, params.id ?? ""),
    ),
  ]
}

const duplicateRoute = (service: QuotationService): Route =>
  post(
    `/${tag}/:id/duplicate`,
    {
      may: rights.write,
      id: "duplicateQuotation",
      tag,
      summary: "Copy a quotation to a new draft",
      names: { id: noun },
      body: checked(emptyBody),
      answer: {
        status: 201,
        description: "The new draft.",
        schema: ref(quotations.title),
        headers: ["ETag", "Location"],
      },
      refuses: [404],
    },
    (tx, { params, caller }) => created("/api/v1/quotations", service.duplicate(tx, params.id ?? "", caller)),
  )

const orderRoute = (service: QuotationService, prepare: NonNullable<Route["prepare"]>): Route =>
  post(
    `/${tag}/:id/order`,
    {
      may: rights.write,
      id: "orderQuotation",
      tag,
      summary: "Make a sales order of a quotation",
      description:
        "Makes one draft order with the same lines and prices, of a quotation that is sent or accepted; a sent one becomes accepted. A second time the answer is 422 `QUOTATION_ALREADY_ORDERED`, and of others `QUOTATION_NOT_ACCEPTED`. What is wrong with it by now, such as an inactive item, is told when the order is submitted.",
      names: { id: noun },
      body: checked(emptyBody),
      answer: {
        status: 201,
        description: "The new order.",
        schema: ref("SalesOrder"),
        headers: ["ETag", "Location"],
      },
      refuses: [404],
      prepare,
    },
    (tx, { params, prepared, caller }) =>
      created("/api/v1/sales-orders", service.order(tx, params.id ?? "", prepared, caller)),
  )

const linkRoute = (service: QuotationService): Route =>
  post<BodyOf<typeof linkBody>>(
    `/${tag}/:id/link`,
    {
      may: rights.write,
      // Who has the link can read the quotation.
      alsoMay: rights.read,
      id: "openQuotationPage",
      tag,
      summary: "Open the public page of a quotation",
      description:
        "Returns the `url` of a page on which the customer reads, accepts or declines the quotation without signing in. It replaces the link before, and works until `expiresAt`, or else until another one replaces it. Only with the setting `publicPages`. Messages with `{link}` open a page too.",
      names: { id: noun },
      body: checked(linkBody),
      answer: { status: 201, description: "The new link.", schema: linkAnswer },
      refuses: [404],
    },
    (tx, { params: { id = "" }, body: { expiresAt } }) => {
      const { url, ...link } = service.openPage(tx, id, expiresAt)
      return { status: 201, headers: {}, data: link, once: { url } }
    },
  )
