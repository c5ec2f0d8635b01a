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

/** What only the messages of some kinds can name: `link` is the page on which the customer answers. */
export const ownPlaceholders = ["link"] as const
export type OwnPlaceholder = (typeof ownPlaceholders)[number]

const pattern = /\{([A-Za-z]+)\}/g

/** Returns the names in braces that stand for nothing. `own` are the placeholders that only the kind has. */
export const unknownPlaceholders = (text: string, own: readonly OwnPlaceholder[] = []): string[] =>
  [...text.matchAll(pattern)].flatMap(([, name = ""]) =>
    [...placeholders, ...own].some((known) => known === name) ? [] : [name],
  )

/** Leaves out the paragraphs that name a link, because there is none. */
export const withoutLink = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => !paragraph.includes("{link}"))
    .join("\n\n")

/** Replaces the placeholders of a text by their values. */
export const filledIn = (text: string, values: Readonly<Record<Placeholder, string>>): string =>
  text.replace(pattern, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as Placeholder] : whole,
  )

/** The number of addresses of a message: to and cc together. */
export const mostRecipients = 10

export const longestSubject = 200
export const longestMessage = 10_000
