import type { Scope } from "../../shared/rights"
import { language, t } from "../texts"

/** [read, write] → View, update. */
export const rightsInWords = (scopes: readonly Scope[]): string => {
  const text = scopes.map((scope) => t(($) => $.values.right[scope])).join(", ")
  return text === "" ? "–" : text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}
