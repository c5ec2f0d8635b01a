import { assertNoFaults, type Detail } from "../../lib/refusal"
import { boolean, text } from "../../resource/field"
import type { Input } from "../../resource/read"

/** A body that moves a document: `{status, reason?, override?}`. */
export function readStatusChange<const S extends string>(
  input: Input,
  statuses: readonly S[],
): { to: S; reason: string | null; override: boolean } {
  const faults: Detail[] = Object.keys(input)
    .filter((name) => !["status", "reason", "override"].includes(name))
    .map((field) => ({ field, message: "is not a known field" }))
  const to = statuses.find((status) => status === input.status)
  if (!to) faults.push({ field: "status", message: `must be one of ${statuses.join(", ")}` })
  const reason =
    input.reason == null
      ? null
      : text({ max: 500, multiline: true }).read(input.reason, "reason", faults, "update")
  const override =
    input.override == null ? false : boolean().read(input.override, "override", faults, "update")
  assertNoFaults(faults)
  return { to: to as S, reason: reason ?? null, override: override ?? false }
}

/** The same for the API document. */
export const statusBody = (statuses: readonly string[], example: string) => ({
  schema: {
    type: "object",
    required: ["status"],
    properties: {
      status: { type: "string", enum: [...statuses] },
      reason: { type: ["string", "null"], maxLength: 500, description: "Kept with a cancellation." },
      override: { type: ["boolean", "null"], description: "A manager or admin passes the credit limit." },
    },
    additionalProperties: false,
  },
  example: { status: example },
})
