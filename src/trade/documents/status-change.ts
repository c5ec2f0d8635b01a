import { Type } from "@sinclair/typebox"
import { body } from "../../core/kind/body"
import { choice, required } from "../../core/kind/field"
import { text } from "../../core/kind/text-field"
import { override } from "./model"

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
