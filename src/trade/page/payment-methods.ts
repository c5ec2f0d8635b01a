import { t } from "./texts"

/** Suggestions. The method of a payment or of a refund is a free text. */
export const paymentMethods = (["bankTransfer", "cash", "card", "directDebit", "cheque"] as const).map(
  (method) => t(($) => $.documents.method[method]),
)
