import { t } from "./texts"

/** The suggested payment terms, in words that set a due date. Any other text is allowed. */
export const paymentTerms = Object.values(t(($) => $.documents.terms, { returnObjects: true }))
