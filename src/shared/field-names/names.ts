import type { Language } from "../languages"
import { de } from "./de"
import { en } from "./en"
import { fr } from "./fr"

/** A name for each field, in one language. */
export type FieldNames = Readonly<Record<keyof typeof en, string>>

const names: Record<Language, Partial<FieldNames>> = { en, de, fr }

const nameIn = (language: Language, field: string): string | undefined =>
  (names[language] as Readonly<Record<string, string>>)[field]

/** The fields that a kind names itself, in each language. */
type Own = { names?: { readonly [L in Language]?: { fields?: Readonly<Partial<Record<string, string>>> } } }

/**
 * The title of a column of a kind in a language. A part of an object has the names of both: `Address: City`. A field
 * without a name has its own: `itemCode`.
 */
export function titleOf({ names }: Own, field: string, language: Language): string {
  const own = names?.[language]?.fields
  const parts = field.split(".").map((part) => own?.[part] ?? nameIn(language, part))
  return parts.includes(undefined) ? field : parts.join(": ")
}
