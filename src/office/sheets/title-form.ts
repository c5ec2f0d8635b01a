import { fold } from "../../core/lib/text"

/** One character can become 18 by folding, and a title has up to 200. */
const longestForm = 200

/**
 * The form in which titles are compared: capital letters, accents, spaces and punctuation make no difference. The titles of a
 * file get theirs once, in the thread that reads the file.
 */
export const titleForm = (title: string): string =>
  fold(title.slice(0, longestForm))
    .slice(0, longestForm)
    .replace(/[^\p{L}\p{N}]/gu, "")
