/** What the texts of mail can name of the document that they go with: `{number}`. */
export const placeholders = [
  "number",
  "company",
  "customer",
  "contact",
  "total",
  "balance",
  "dueDate",
] as const
export type Placeholder = (typeof placeholders)[number]

const pattern = /\{([A-Za-z]+)\}/g

/** Returns the names in braces that stand for nothing. */
export const unknownPlaceholders = (text: string): string[] =>
  [...text.matchAll(pattern)].flatMap(([, name = ""]) =>
    placeholders.some((known) => known === name) ? [] : [name],
  )

/** Replaces the placeholders of a text by their values. */
export const filledIn = (text: string, values: Readonly<Record<Placeholder, string>>): string =>
  text.replace(pattern, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as Placeholder] : whole,
  )

/** The number of addresses of a message: to and cc together. */
export const mostRecipients = 10

export const longestSubject = 200
export const longestMessage = 10_000
