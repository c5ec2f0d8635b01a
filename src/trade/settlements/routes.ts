import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { ref } from "../../core/http/openapi/kind-schemas"
import { post, remove, type Route } from "../../core/http/route/route"
import { created } from "../../core/http/request/write"
import type { Body, Reading } from "../../core/kind/body"
import type { Resource } from "../../core/kind/define"
import type { Expected } from "../../core/kind/tag"
import type { Settlement } from "./store"

/** A way to use a payment or a credit note. */
type Part<B> = {
  part: Settlement["kind"]
  /** The operation ids in the API document. */
  ids: { add: string; void: string }
  summary: string
  description?: string
  body: Body<B>
  /** The field with what is left. */
  left: "unallocated" | "unapplied"
}

/** The functions that use a part and void it. */
type Uses<B> = {
  add(tx: Tx, id: string, reading: Reading<B>, caller: Caller): { id: string }
  void(tx: Tx, id: string, partId: string, expected: Expected, caller: Caller): void
}

/** The routes that use a part of a payment or of a credit note, and void it again. */
export function partRoutes<B>(
  { name, noun, rights }: Resource,
  { part, ids, summary, description, body, left }: Part<B>,
  uses: Uses<B>,
): Route[] {
  const path = `/${name}/:id/${part}s`
  const partId = `${part}Id`
  const common = { tag: name, refuses: [404] }
  return [
    post<Reading<B>>(
      path,
      {
        ...common,
        may: rights.write,
        id: ids.add,
        summary,
        description,
        names: { id: noun },
        body,
        answer: {
          status: 201,
          description: `The ${part}.`,
          schema: ref(part.charAt(0).toUpperCase() + part.slice(1)),
          headers: ["Location"],
        },
      },
      (tx, { params: { id = "" }, body: reading, caller }) =>
        created(`/api/v1/${name}/${id}/${part}s`, uses.add(tx, id, reading, caller)),
    ),
    remove(
      `${path}/:${partId}`,
      {
        ...common,
        may: rights.remove,
        id: ids.void,
        summary: `Void ${part === "refund" ? "a" : "an"} ${part} of a ${noun}`,
        description: `If-Match, if it is sent, is compared with the version of the ${noun}.`,
        names: { id: noun, [partId]: part },
        answer: { status: 204, description: `The amount is ${left} again.` },
        refuses: [404, 412, 422],
      },
      (tx, { params, expected, caller }) =>
        uses.void(tx, params.id ?? "", params[partId] ?? "", expected, caller),
    ),
  ]
}
