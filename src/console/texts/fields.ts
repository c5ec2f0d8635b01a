import type { Kind } from "../api/types"
import type { Texts } from "./texts"
import { words } from "../format"
import { language, t } from "./index"

/** A name within a sentence. In German, nouns keep their capital. */
export const inSentence = (name: string): string => (language === "en" ? name.toLowerCase() : name)

/** The name of a status in the user's language. */
export const statusName = (status: string): string =>
  t(($) => $.values.status[status] as string, { defaultValue: words(status) })

/**
 * The name of a field in the user's language, as the kind `of` has it. A field that the console does not know is shown by
 * its API name, or as `otherwise`.
 */
export function fieldName(
  field: string,
  { of, otherwise = field }: { of?: Kind; otherwise?: string } = {},
): string {
  const common = t(($) => $.fields[field as keyof Texts["fields"]], { defaultValue: otherwise })
  return of ? t(($) => $.kinds[of].fields[field] as string, { defaultValue: common }) : common
}
