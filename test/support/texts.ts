import { createInstance } from "i18next"
import de from "../../src/console/texts/de"
import en from "../../src/console/texts/en"

const resources = { en: { translation: en }, de: { translation: de } }
export type Language = keyof typeof resources

/** Returns the function with which the console reads its texts in a language: `t(($) => $.common.save)`. */
export async function textsIn(language: Language) {
  const texts = createInstance()
  await texts.init({ lng: language, resources, fallbackLng: false, interpolation: { escapeValue: false } })
  return texts.t
}
