import type { Texts } from "./texts"
import { t } from "./index"

/** The name of a field in the user's language. A field that the console does not know is shown by its API name. */
export const fieldName = (field: string): string =>
  t(($) => $.fields[field as keyof Texts["fields"]], { defaultValue: field })
