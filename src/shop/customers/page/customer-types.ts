import { t } from "../../../console/texts"

/** The suggested types: the stored words of the API, and their names in the user's language. Other texts are allowed. */
const names: Record<string, string> = t(($) => $.values.customerType, { returnObjects: true })

export const customerTypeNames = Object.values(names)

export const customerTypeInWords = (stored: string): string => names[stored] ?? stored

export const storedCustomerType = (typed: string): string =>
  Object.keys(names).find((stored) => names[stored] === typed.trim()) ?? typed
