import type { Changes, Tx } from "../../core/write/writer"
import type { Head, StatusRequest } from "./kind"
import { type Line, override } from "./model"
import { assertTransition } from "./rules"
import type { Documents } from "./documents"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { Type } from "@sinclair/typebox"
import { body } from "../../core/kind/body"
import { choice, required } from "../../core/kind/field"
import { text } from "../../core/kind/text-field"

/** Changes the status of a document by the transitions of its kind. The same status again changes nothing. */
export function changeStatus<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  tx: Tx,
  id: string,
  request: StatusRequest<H["status"]>,
  expected: Expected,
): R {
  const { kind, effects, load, get, save } = documents
  const before = load(id)
  assertVersion(before.head, expected)
  const { status } = before.head
  if (status === request.status) return get(id)
  assertMayBecome(documents, before.head, request.status)
  const became = effects.become[request.status]?.(tx, before, request)
  const { head, changes = {}, afterSave } = became ?? { head: { ...before.head, status: request.status } }
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

const reasonOf = ({ status, reason }: StatusRequest<string>): Changes =>
  reason ? { [status === "cancelled" ? "cancelReason" : "reason"]: { from: null, to: reason } } : {}

const reason = {
  ...text({ max: 500, multiline: true }),
  schema: Type.String({
    maxLength: 500,
    description: "Stored as cancelReason when the document is cancelled.",
  }),
}

/** A body that changes the status of a document. */
export const statusBody = <const S extends string>(statuses: readonly S[], example: S) =>
  body({ status: required(choice(statuses)), reason, override }, { example: { status: example } })

/** Describes a table of transitions in words. */
export const describeTransitions = (transitions: Record<string, readonly string[]>): string =>
  Object.entries(transitions)
    .map(([from, to]) => `${from} → ${to.join(" or ") || "none"}`)
    .join("; ")
