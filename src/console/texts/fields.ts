import type { Texts } from "./texts"
import { t } from "./index"

/**
 * The name of a field in the user's language. A field that the console does not know is shown by its API name, or as
 * `otherwise`.
 */
export const fieldName = (field: string, otherwise = field): string =>
  t(($) => $.fields[field as keyof Texts["fields"]], { defaultValue: otherwise })
