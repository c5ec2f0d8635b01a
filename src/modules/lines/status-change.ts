import { assertNoFaults, type Detail } from "../../lib/refusal"
import { boolean } from "../../resource/field"
import { text } from "../../resource/text-field"
import { tellUnknown } from "../../resource/object"
import type { Input } from "../../resource/read"

/** A body that moves a document: `{status, reason?, override?}`. */
export function readStatusChange<const S extends string>(
  input: Input,
  statuses: readonly S[],
): { to: S; reason: string | null; override: boolean } {
  const faults: Detail[] = []
  tellUnknown(input, ["status", "reason", "override"], faults)
  const to = statuses.find((status) => status === input.status)
  if (!to) faults.push({ field: "status", message: `must be one of ${statuses.join(", ")}` })
  const reason =
    input.reason == null
      ? null
      : text({ max: 500, multiline: true }).read(input.reason, "reason", faults, "update")
  const override = readOverride(input.override, faults)
  assertNoFaults(faults)
  return { to: to as S, reason: reason ?? null, override }
}

/** Whether somebody asks to pass the credit limit; whether they may is for the rules to say. */
export const readOverride = (value: unknown, faults: Detail[]): boolean =>
  (value == null ? false : boolean().read(value, "override", faults, "update")) ?? false

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
