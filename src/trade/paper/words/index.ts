import type { Language } from "../../../shared/languages"
import { de } from "./de"
import { en, type Texts } from "./en"
import { fr } from "./fr"

export type { Texts } from "./en"

/** The words on paper, in each language. */
export const textsOf: Record<Language, Texts> = { en, de, fr }
