import type { Limiter } from "../../../core/lib/limiter"
import { Refusal } from "../../../core/lib/refusal"
import { assertOwnPage } from "../../../core/http/request/hosts"
import { networkOf } from "../../../core/http/request/address"
import { readBytes } from "../../../core/http/request/body"
import { actorOf, type Call } from "../../../core/http/request/call"
import { page, type Route, type RouteCall } from "../../../core/http/route/route"
import { text } from "../../../core/kind/text-field"
import type { FieldError } from "../../../core/lib/refusal"
import type { Writer } from "../../../core/write/writer"
import type { Settings } from "../../../office/settings/model"
import type { Plans } from "../../../shared/plans"
import { type Asker, fileNameOf, pdfOf } from "../../../trade/paper/files"
import { wordedOf } from "../../../trade/paper/shown"
import { quotationPapers } from "../paper"
import { proving } from "../routes"
import type { Answer, QuotationService } from "../service"
import {
  type Fault,
  faultPage,
  pageHeaders,
  pageResponse,
  quotationPage,
  type Shown,
  type Told,
} from "./page"

type Needs = Parameters<typeof proving>[0] & {
  quotations: QuotationService
  settings: { get: () => Settings }
  limits: Limiter
  writer: Writer
}

type Deps = {
  plans: Plans
  publicUrl: string | null
  /** True when browsers reach the server over https. */
  isSecure: boolean
  /** Records a request that was refused with 403. */
  noteRefused: (call: Call, code: string) => void
}

/** A secret of 160 bits cannot be guessed. Who tries it all the same gets few answers. */
const mostMisses = 20
/** In bytes. */
const longestForm = 16 * 1024

/** The public page of a quotation, where a customer reads and answers it without signing in and without scripts. */
export function quotationPageRoutes(the: Needs, deps: Deps): Route[] {
  const view = viewOf(the)
  return [
    page("GET", "/q/:token", (context) =>
      visit(the, deps, context, async (id) => pageResponse(quotationPage(await view(id, context)), 200)),
    ),
    page("POST", "/q/:token", (context) =>
      visit(the, deps, context, (id) => {
        const { request, call } = context
        try {
          assertOwnPage(request, deps, "Only the page of the quotation can send this request.")
        } catch (error) {
          deps.noteRefused(call, "FORBIDDEN")
          if (error instanceof Refusal) return fault(the, "foreign", 403)
          throw error
        }
        return answer(the, context, id, (told, status) =>
          view(id, context).then((shown) => pageResponse(quotationPage(shown, told), status)),
        )
      }),
    ),
    page("GET", "/q/:token/pdf", (context) =>
      visit(the, deps, context, async (id) => {
        const { load, keptAs = null } = quotationPapers(the)
        const loaded = load(id, null)
        const file = await pdfOf({ ...the, findLogo: the.logos.find }, askerOf(the, context), {
          loaded,
          kind: keptAs,
        })
        return new Response(new Uint8Array(file.bytes), {
          headers: {
            ...pageHeaders,
            "content-type": "application/pdf",
            "content-disposition": `inline; filename="${fileNameOf(loaded.paper, ["pdf"])}"`,
          },
        })
      }),
    ),
  ]
}

/** Finds the quotation of a link. What is wrong is told as a page, and the same for each link that does not work. */
async function visit(
  the: Needs,
  { plans }: Deps,
  { call, params }: RouteCall,
  go: (id: string) => Promise<Response> | Response,
): Promise<Response> {
  const network = networkOf(call.address())
  const missed = `page-miss:${network}`
  const perMisses = { perMinute: plans.anonymous.perMinute === null ? null : mostMisses, perDay: null }
  const visits = the.limits.take(`page:${network}`, plans.anonymous)
  const misses = the.limits.peek(missed, perMisses)
  if (!visits.isAllowed || !misses.isAllowed) {
    const wait = Math.max(1, Math.ceil((visits.isAllowed ? misses : visits).wait / 1000))
    return fault(the, "tooMany", 429, { "retry-after": String(wait) })
  }
  const id = the.quotations.ofLink(params.token ?? "")
  if (id === null) {
    the.limits.take(missed, perMisses)
    return fault(the, "gone", 404)
  }
  try {
    return await go(id)
  } catch (error) {
    if (error instanceof Refusal && error.status === 503)
      return fault(the, "busy", 503, { "retry-after": "5" })
    throw error
  }
}

const fault = ({ settings }: Needs, found: Fault, status: number, headers: Record<string, string> = {}) =>
  pageResponse(faultPage(settings.get().defaultLanguage, found), status, headers)

/** All visitors together are one client of the renderer. */
function askerOf({ writer }: Needs, { call }: Pick<RouteCall, "call">): Asker {
  call.keepOpen()
  return { share: "public pages", signal: call.signal(), write: (work) => writer(work, actorOf(call)) }
}

/** Returns a function that reads what the page shows. The PDF is drawn and kept before, so that it can be accepted. */
function viewOf(the: Needs) {
  const { load } = quotationPapers(the)
  const prove = proving(the)
  return async (id: string, { call, params }: RouteCall): Promise<Shown> => {
    const { sha256 } = await prove(askerOf(the, { call }), id)
    const { paper } = load(id, null)
    const pdf = `/q/${params.token ?? ""}/pdf`
    return { quotation: the.quotations.get(id), worded: wordedOf(paper), sha256, pdf }
  }
}

type Again = (told: Told, status: number) => Promise<Response>

/** Stores an answer, and shows the page anew. */
async function answer(the: Needs, context: RouteCall, id: string, again: Again): Promise<Response> {
  const { request, call, params } = context
  const form = await formOf(request)
  if (!form) return fault(the, "foreign", 400)
  const revision = Number(form.get("revision"))
  const read = form.get("answer") === "accept" ? acceptedIn(form) : declinedIn(form)
  if ("problem" in read) return again(read, 422)
  const proof = await proving(the)(askerOf(the, context), id)
  const isSeen = proof.revision === revision && proof.sha256 === form.get("sha256")
  const given: Answer = read.isAccepted
    ? { ...read, ip: actorOf(call).ip ?? "", proof }
    : { ...read, revision }
  const isStored = isSeen && (await the.writer((tx) => the.quotations.answer(tx, id, given), actorOf(call)))
  if (!isStored) return again(isSeen ? {} : { notice: "isChanged" }, 409)
  // A reload must not send the form again.
  return new Response(null, {
    status: 303,
    headers: { ...pageHeaders, location: `/q/${params.token ?? ""}` },
  })
}

const nameField = text({ max: 200 })
const reasonField = text({ max: 500, multiline: true })

function acceptedIn(
  form: URLSearchParams,
): { isAccepted: true; name: string } | (Told & { problem: string }) {
  const name = form.get("name") ?? ""
  if (name.trim() === "") return { problem: "nameMissing" }
  const errors: FieldError[] = []
  const read = nameField.read(name, "name", errors, "create")
  return read === undefined
    ? { problem: "tooLong", name: name.slice(0, 200) }
    : { isAccepted: true, name: read }
}

function declinedIn(
  form: URLSearchParams,
): { isAccepted: false; reason: string | null } | (Told & { problem: string }) {
  const reason = form.get("reason") ?? ""
  if (reason.trim() === "") return { isAccepted: false, reason: null }
  const errors: FieldError[] = []
  const read = reasonField.read(reason, "reason", errors, "create")
  return read === undefined ? { problem: "tooLong" } : { isAccepted: false, reason: read }
}

/** Reads a form; null if it is none, or too long. */
async function formOf(request: Request): Promise<URLSearchParams | null> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return null
  const bytes = await readBytes(request, longestForm).catch(() => null)
  return bytes && new URLSearchParams(new TextDecoder().decode(bytes))
}
