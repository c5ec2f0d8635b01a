import { messageOf } from "../../../console/api/client"
import { ApiError, type FieldError } from "../../../console/api/send"
import { fieldMessage } from "../../../console/forms/field-errors"
import { invalidNumber } from "../../../console/forms/number-field"
import { t } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { changesNothing, type PriceForm } from "./reprice"

type Field = "value" | "round" | "ending"

/** What is wrong at which field of the dialog, and what is wrong with the rest of the request. */
export type PriceErrors = Partial<Record<Field, string>> & { other?: string }

/** What is wrong with a change before the server is asked. The direction is chosen, so a number has no sign. */
export function typedError(form: PriceForm): string | null {
  const { value } = form
  if (changesNothing(form)) return t(($) => $.items.bulk.zero)
  if (typeof value === "string") return value === "" ? null : invalidNumber
  return value < 0
    ? fieldMessage({ field: "value", code: "TOO_SMALL", message: "must be at least 0", params: { min: 0 } })
    : null
}

/** What the server has refused, at the fields of the dialog. */
export function refusedErrors(error: unknown, { direction }: PriceForm): PriceErrors {
  if (!(error instanceof ApiError) || error.code !== "VALIDATION_ERROR") return { other: messageOf(error) }
  const errors: PriceErrors = {}
  const others: string[] = []
  for (const detail of error.details) {
    const field = fieldOf(detail)
    if (field === null) others.push(`${labelOf(detail)}: ${fieldMessage(detail)}.`)
    else errors[field] = fieldMessage(direction === "down" ? withoutSign(detail) : detail)
  }
  return others.length > 0 ? { ...errors, other: [error.message, ...others].join(" ") } : errors
}

function fieldOf({ field }: FieldError): Field | null {
  if (field === "change" || field.startsWith("change.")) return "value"
  return field === "round" || field === "ending" ? field : null
}

/** filter.sellingPrice[gte] → Selling price */
const labelOf = ({ field }: FieldError): string =>
  fieldName(/([^.[]+)(?:\[\w+\])?$/.exec(field)?.[1] ?? field)

/** Converts the lower bound of a decrease, which the server knows as a negative number, to an upper bound. */
function withoutSign(detail: FieldError): FieldError {
  const min = detail.params?.min
  if (detail.code !== "TOO_SMALL" || typeof min !== "number") return detail
  return { ...detail, code: "TOO_LARGE", message: `must be at most ${-min}`, params: { max: -min } }
}
