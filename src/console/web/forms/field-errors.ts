import type { UseFormReturnType } from "@mantine/form"
import { messageOf } from "../api/client"
import { ApiError, type FieldError } from "../api/send"
import type { Values } from "./body"

/** Puts each error beside its field; what belongs to no field of the form is returned to be shown above it. */
export function placeErrors<V extends Values>(form: UseFormReturnType<V>, error: ApiError): string | null {
  const placed = ({ field }: FieldError) => (field.split(/[.[]/)[0] ?? "") in form.values
  form.setErrors(
    Object.fromEntries(
      error.details.filter(placed).map(({ field, message }) => [toPath(field), message]),
    ) as never,
  )
  setTimeout(() => document.querySelector<HTMLElement>("form [aria-invalid=true]")?.focus(), 50)
  const others = error.details.filter((detail) => !placed(detail))
  if (error.details.length > 0 && others.length === 0 && error.code === "VALIDATION_ERROR") return null
  const rest = others.map(({ field, message }) => `${field} ${message}`).join("; ")
  return rest && error.code === "VALIDATION_ERROR" ? `${error.message} ${rest}.` : error.message
}

/** The same for an error of any kind. */
export const placeError = <V extends Values>(form: UseFormReturnType<V>, error: unknown): string | null =>
  error instanceof ApiError ? placeErrors(form, error) : messageOf(error)

/** items[0].quantity → items.0.quantity */
const toPath = (field: string): string => field.replace(/\[(\d+)\]/g, ".$1")
