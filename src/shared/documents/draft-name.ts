/** What the name of a found draft begins with, which has no number yet. The console shows it in the user's language. */
export const draftName = "Draft"

/** The name of a found record: its number, if it has one, and its title. */
export const nameOfHit = (number: string | null, title: string): string => `${number ?? draftName} · ${title}`
