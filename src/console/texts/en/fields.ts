import { en } from "../../../shared/field-names/en"
import type { CreditNoteLine, Customer, InvoiceLine, Kind, Kinds, OrderLine } from "../../api/types"

/** The fields of all kinds of records and of their parts, and the other fields in the changes of the audit log. */
type Field =
  | { [K in Kind]: keyof Kinds[K] }[Kind]
  | keyof OrderLine
  | keyof InvoiceLine
  | keyof CreditNoteLine
  | keyof NonNullable<Customer["address"]>
  | "allocation"
  | "application"
  | "attempts"
  | "code"
  | "creditNote"
  | "delivery"
  | "grant"
  | "password"
  | "payment"
  | "refund"
  | "request"

/** The names of fields, as exported tables have them too. A new field without a text does not compile. */
export const fields = en satisfies Record<Field, string>
