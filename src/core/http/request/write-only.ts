import { Type } from "@sinclair/typebox"
import { Refusal, type DetailCode, type FieldError } from "../../lib/refusal"
import type { Warning } from "../../lib/warning"
import type { Right } from "../../../shared/rights"
import { mayCaller, type Caller } from "../../caller"
import { canDryRun } from "./dry-run"

/** The fields with the numbers that people know records by. */
let numbers: readonly string[] = []

/** Tells the fields with the numbers of all kinds. */
export const setNumberFields = (fields: readonly string[]): void => {
  numbers = fields
}

/** What a credential that may write but not read gets in place of a record. */
export const writtenSchema = () =>
  Type.Object(
    {
      id: Type.Optional(Type.String()),
      ...Object.fromEntries(
        numbers.map((name) => [name, Type.Optional(Type.Unsafe({ type: ["string", "null"] }))]),
      ),
      version: Type.Optional(Type.Integer()),
      updatedAt: Type.Optional(Type.String({ format: "date-time" })),
    },
    {
      $id: "Written",
      additionalProperties: false,
      description:
        "The data of a response to a write, if the credential does not have the scope `read`: nothing that it could not know.",
    },
  )

/** True for a caller who may change the records of an area but not see them. Only the scopes of a credential do that. */
export const isWriteOnly = (caller: Caller | null, right: Right | null): boolean =>
  caller !== null &&
  right !== null &&
  !caller.scopes.includes("read") &&
  canDryRun(right) &&
  !mayCaller(caller, { ...right, scope: "read" })

/** The part of a record that such a caller gets. Its own number stands before those of other records. */
export function writtenOf(data: object): object {
  const record = data as Record<string, unknown>
  const number = Object.keys(record).find((name) => numbers.includes(name))
  const names = ["id", ...(number ? [number] : []), "version", "updatedAt"]
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]))
}

/** The codes of details that only tell of the request. */
const aboutRequest: readonly DetailCode[] = ["TYPE", "TOO_LONG", "TOO_SHORT", "UNKNOWN_FIELD"]

const sentences: Partial<Record<DetailCode, string>> = {
  REQUIRED: "is required",
  TOO_LARGE: "is too large",
  TOO_SMALL: "is too small",
  FORMAT: "has an invalid value",
  READ_ONLY: "cannot be updated",
  NOT_FOUND: "does not exist",
  DUPLICATE: "is already used by another record",
}

/** An error of a write as such a caller gets it: the code and the fields, without values of stored records. */
export function withoutStoredValues(refusal: Refusal): Refusal {
  const { code, reason, status, headers, cause, params } = refusal
  if (status === 403 || status === 404 || status === 412 || status >= 500) return refusal
  const operation = params?.operation
  const sentence =
    code === "VALIDATION_ERROR"
      ? "The request has invalid values."
      : "The stored records do not allow this. A credential that also has the scope read is told why."
  return new Refusal(reason, operation === undefined ? sentence : `Operation ${operation}: ${sentence}`, {
    status,
    headers,
    cause,
    ...(operation === undefined ? {} : { params: { operation } }),
    details: refusal.details.map(hidden),
  })
}

/** A warning as such a caller gets it; none, if it would tell whether a value is the stored one. */
export function warningWithoutStoredValues(warning: Warning): Warning[] {
  const { code, field } = warning
  if (code === "UNUSUAL_DATE" || code === "BARCODE_CHECK_DIGIT") return [warning]
  if (code === "READ_ONLY_FIELD") return []
  const message = `Stored records do not fit this (${code}). A credential that also has the scope read is told more.`
  return [{ code, field, message, params: {} } as unknown as Warning]
}

function hidden(detail: FieldError): FieldError {
  const { field, code, params, existing, duplicateOf } = detail
  if (aboutRequest.includes(code)) return detail
  const rule = params?.rule
  return {
    field,
    code,
    message: sentences[code] ?? "is not allowed by the stored records",
    ...(rule === undefined ? {} : { params: { rule } }),
    ...(existing === undefined ? {} : { existing }),
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
  }
}
