import { t } from "./texts"

/** What people read in a text in place of `{link}`, because the link is made when the message is sent. */
const wordsOf = (kind: string): string =>
  t(($) => (kind === "users" ? $.linkWords.users : $.linkWords.documents))

/** The text of a message about a record of a kind, as people read and write it. */
export const withLinkInWords = (text: string, kind: string): string =>
  text.replaceAll("{link}", () => wordsOf(kind))

/** The same text as the server knows it. */
export const withLinkAsStored = (text: string, kind: string): string =>
  text.replaceAll(wordsOf(kind), "{link}")

/** True if people read in the text that there will be a link. */
export const namesLink = (text: string, kind: string): boolean => text.includes(wordsOf(kind))

/** The text with a link at its end. */
export const withLinkAdded = (text: string, kind: string): string => `${text.trimEnd()}\n\n${wordsOf(kind)}\n`
