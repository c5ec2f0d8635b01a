/** The form in which the number of a customer is stored: in capital letters, so that it is found in any case. */
export const customerNumberOf = (number: string): string => number.trim().toUpperCase()
