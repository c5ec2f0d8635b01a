import { language } from "../../../console/texts"
import { t } from "./texts"
import { nameOfField, neededFields, type ImportKind, type ImportMode } from "./kinds"

/** Says which fields still need a column. `fields` are the fields of the columns. */
export function missingIn(
  kind: ImportKind,
  fields: readonly (string | null)[],
  mode: ImportMode,
): string | null {
  const nameIn = (field: string) => nameOfField(field, kind)
  const { all, oneOf } = neededFields(kind, mode)
  const names = all.filter((field) => !fields.includes(field)).map(nameIn)
  if (oneOf.length > 0 && !oneOf.some((field) => fields.includes(field)))
    names.push(new Intl.ListFormat(language, { type: "disjunction" }).format(oneOf.map(nameIn)))
  return names.length === 0 ? null : t(($) => $.missing, { fields: names.join(", ") })
}
