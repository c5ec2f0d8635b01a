import type { Changes, Tx } from "../../core/write/writer"
import type { Became, Doc, Head, StatusRequest } from "./kind"
import { type Line, override, sendOnIssue } from "./model"
import { assertTransition } from "./rules"
import type { Documents } from "./documents"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { Type } from "@sinclair/typebox"
import { ref } from "../../core/http/openapi/kind-schemas"
import { checked, put, type Route } from "../../core/http/route/route"
import { body, type BodyOf } from "../../core/kind/body"
import type { Resource } from "../../core/kind/define"
import { choice, type Field, required } from "../../core/kind/field"
import { text } from "../../core/kind/text-field"

/** Changes the status of a document by the transitions of its kind. The same status again changes nothing. */
export function changeStatus<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  tx: Tx,
  id: string,
  request: StatusRequest<H["status"]>,
  expected: Expected,
): R {
  const { effects, load, get } = documents
  const before = load(id)
  assertVersion(before.head, expected)
  const { status } = before.head
  if (status === request.status) return get(id)
  return moveStatus(
    documents,
    tx,
    before,
    request,
    () =>
      effects.become[request.status]?.(tx, before, request) ?? {
        head: { ...before.head, status: request.status },
      },
  )
}

/** Stores a transition that may be one, whoever has requested it. `become` returns the new head. */
export function moveStatus<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  tx: Tx,
  before: Doc<H, L>,
  request: Pick<StatusRequest<H["status"]>, "status" | "reason">,
  become: () => Became<H>,
): R {
  const { kind, get, save } = documents
  const { id, status } = before.head
  assertMayBecome(documents, before.head, request.status)
  const { head, changes = {}, afterSave } = become()
  save(tx, before, {
    head: { ...head, version: before.head.version + 1, updatedAt: tx.now },
    lines: before.lines,
  })
  afterSave?.()
  const moved = { status: { from: status, to: head.status }, ...reasonOf(request), ...changes }
  tx.audit(`${kind.resource.name}.status`, id, moved)
  return get(id)
}

/** Refuses a transition that the table does not contain, or that the kind refuses. */
export function assertMayBecome<H extends Head, L extends Line, R>(
  { effects, allowedFrom, named }: Documents<H, L, R>,
  head: H,
  to: H["status"],
): void {
  effects.assertMayLeave?.(head, to)
  assertTransition(allowedFrom(head), named(head), to)
}

const reasonOf = ({ status, reason }: Pick<StatusRequest<string>, "status" | "reason">): Changes =>
  reason ? { [status === "cancelled" ? "cancelReason" : "reason"]: { from: null, to: reason } } : {}

const reason = {
  ...text({ max: 500, multiline: true }),
  schema: Type.String({
    maxLength: 500,
    description:
      "Stored as `cancelReason` when the document is cancelled, or as `reason` of a quotation that is declined or withdrawn.",
  }),
}

type StatusRouteOptions<S extends string> = {
  transitions: Readonly<Record<S, readonly S[]>>
  summary: string
  /** What else the API document says of the transitions. */
  about?: string
  /** A status of the example. */
  example: S
  /** True when a change of the status can issue a document, which can be sent then. */
  issues?: true
  /** The fields of the body that only this kind has. */
  fields?: Record<string, Field>
  prepare?: Route["prepare"]
}

type StatusService<S> = {
  changeStatus(tx: Tx, id: string, request: StatusRequest<S>, expected: Expected): object
}

/** PUT /{kind}/{id}/status, for a kind of document. */
export function statusRoute<S extends string>(
  { name, noun, title, rights }: Resource,
  service: StatusService<S>,
  { transitions, summary, about, example, issues, fields, prepare }: StatusRouteOptions<S>,
): Route {
  const statuses = Object.keys(transitions) as S[]
  const change = body(
    {
      status: required(choice(statuses)),
      reason,
      override,
      ...(issues ? { send: sendOnIssue } : {}),
      ...fields,
    },
    { example: { status: example } },
  )
  const allowed = `Allowed transitions: ${describeTransitions(transitions)}.`
  return put<BodyOf<typeof change>>(
    `/${name}/:id/status`,
    {
      may: rights.write,
      id: `change${title}Status`,
      tag: name,
      summary,
      description: [allowed, about, "A request for the current status changes nothing."]
        .filter(Boolean)
        .join(" "),
      names: { id: noun },
      body: checked(change),
      answer: { status: 200, description: `The updated ${noun}.`, schema: ref(title), headers: ["ETag"] },
      refuses: [404, 412],
      ...(prepare ? { prepare } : {}),
    },
    (tx, { params: { id = "" }, body: given, expected, prepared, caller }) => {
      const { status, reason, override, ...more } = given
      return service.changeStatus(
        tx,
        id,
        { status, reason, override, ...more, given, prepared, caller },
        expected,
      )
    },
  )
}

/** Describes a table of transitions in words. */
const describeTransitions = (transitions: Record<string, readonly string[]>): string =>
  Object.entries(transitions)
    .map(([from, to]) => `${from} → ${to.join(" or ") || "none"}`)
    .join("; ")
