import { Type, type Static } from "@sinclair/typebox"
import { body, type BodyOf } from "../../core/kind/body"
import { date as dateField } from "../../core/kind/field"
import { object } from "../../core/kind/object"
import { messageFields } from "../../trade/mail/body"
import { creditNotes } from "../credit-notes/model"
import { invoices } from "../invoices/model"
import { payments } from "../payments/model"
import type { PaperAccount } from "../../trade/paper/model"

export type MovementKind = PaperAccount["movements"][number]["kind"]
/** What changes what a customer owes. */
const movementKinds: readonly MovementKind[] = [
  invoices.name,
  creditNotes.name,
  payments.name,
  "refunds",
  "write-offs",
]

/** A statement has no more movements than this. */
export const mostMovements = 2_000

const closed = { additionalProperties: false }
const date = (description: string) => Type.String({ format: "date", description })

const Movement = Type.Object(
  {
    date: date("The date of the document, the payment, the refund or the write-off"),
    kind: Type.Unsafe<MovementKind>({ type: "string", enum: [...movementKinds] }),
    record: Type.String({
      description: "The id of the record",
      examples: ["inv_01kb2qk3dvb6r8h5m9x4w7z2nc"],
    }),
    number: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description:
        "The number of the document. That of a write-off is the invoice's; a payment and a refund have their reference.",
      examples: ["INV-2026-00001"],
    }),
    amount: Type.Number({
      description: "Positive when the customer owes more afterwards, negative when less",
    }),
    balance: Type.Number({ description: "What the customer owes afterwards" }),
  },
  closed,
)
export type Movement = Static<typeof Movement>

/** What mail with a statement says. `balance` is what is owed at its end. */
export const statementMail = {
  name: "statements",
  mail: {
    en: {
      subject: "Statement of account from {company}",
      message:
        "Hello,\n\nplease find attached your statement of account. The balance is {balance}.\n\nKind regards\n{company}",
    },
    de: {
      subject: "Kontoauszug von {company}",
      message:
        "Guten Tag,\n\nim Anhang finden Sie Ihren Kontoauszug. Der Saldo beträgt {balance}.\n\nMit freundlichen Grüßen\n{company}",
    },
    fr: {
      subject: "Relevé de compte de {company}",
      message:
        "Bonjour,\n\nveuillez trouver ci-joint votre relevé de compte. Le solde est de {balance}.\n\nCordialement\n{company}",
    },
  },
}

/** A body that sends a statement. Without a period, it is that of this year. */
export const statementBody = body(
  { period: object({ from: dateField(), to: dateField() }), ...messageFields },
  { example: { period: { from: "2026-01-01", to: "2026-12-31" } }, isOptional: true },
)
export type StatementBody = BodyOf<typeof statementBody>

/** What a customer owed at the beginning of a period, what changed it, and what the customer owed at its end. */
export const Statement = Type.Object(
  {
    customer: Type.String({ description: "The id of the customer" }),
    currency: Type.String({ examples: ["EUR"] }),
    from: date("The first day"),
    to: date("The last day"),
    opening: Type.Number({
      description: "What the customer owed before the first day; negative when the customer has a credit",
    }),
    movements: Type.Array(Movement, { maxItems: mostMovements, description: "By date" }),
    closing: Type.Number({ description: "What the customer owed at the end of the last day" }),
  },
  { ...closed, $id: "Statement" },
)
export type Statement = Static<typeof Statement>
