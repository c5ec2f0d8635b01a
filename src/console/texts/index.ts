import i18next from "i18next"
import { consoleLanguages, type ConsoleLanguage } from "../../shared/languages"
import type { ErrorTexts, FrameTexts } from "./texts"

export { consoleLanguages as languages }
export type Language = ConsoleLanguage

const offered = Object.keys(consoleLanguages) as Language[]

type File = { default: FrameTexts; errors: ErrorTexts | null }
const files: Record<Language, () => Promise<File>> = { en: () => import("./en"), de: () => import("./de") }

const storageKey = "kontor.language"
const chosen = offered.find((each) => each === storedLanguage())
const languageOf = (locale: string) => offered.find((each) => locale.split("-")[0] === each)

/** Some browsers forbid storage. */
function storedLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** The locales of the browser. Bun has none, where tests read the texts. */
const browserLocales: readonly string[] = navigator.languages ?? []

/** The language that the user has chosen on this device, or else the first one of the browser that the console has. */
export const language: Language = chosen ?? browserLocales.map(languageOf).find(Boolean) ?? "en"

/** The locales for numbers and dates: the browser's own, unless the user has chosen another language. */
export const locales: readonly string[] =
  chosen === undefined || browserLocales.some((each) => languageOf(each) === chosen)
    ? browserLocales.filter((each) => chosen === undefined || languageOf(each) === chosen)
    : [chosen]

/**
 * Returns a text: `t(($) => $.signIn.title)`. The texts are loaded before the first page, and a new language reloads the
 * page, so that texts can be read everywhere, also outside of components.
 */
export const { t } = i18next

type Tree = { readonly [key: string]: string | Tree }

/** The same texts in another language: one that lacks a text does not compile. */
type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : Shape<T[K]> }

/** The texts as they are chosen: `selected_one` and `selected_other` are chosen as `selected`, with a `count`. */
type Choices<T> = {
  readonly [K in keyof T as K extends `${infer Name}_${"one" | "other"}` ? Name : K]: T[K] extends string
    ? string
    : Choices<T[K]>
}

type Choose<T> = {
  (choose: (texts: Choices<T>) => string, values?: Record<string, unknown>): string
  <R>(choose: (texts: Choices<T>) => R, values: Record<string, unknown> & { returnObjects: true }): R
  /** The texts in all languages. */
  texts: Readonly<Record<Language, Shape<T>>>
}

let folderCount = 0

/**
 * Returns the function that reads the texts of one folder: `t(($) => $.intro)`. They load with its pages. The language
 * is known by then.
 */
export function textsOf<const T extends Tree>(texts: { en: T; de: Shape<T> }): Choose<T> {
  const ns = `folder-${folderCount++}`
  const read = (choose: unknown, values?: Record<string, unknown>): string => {
    const spoken = i18next.language as Language
    // Some tests show pages without texts.
    if (i18next.isInitialized && !i18next.hasResourceBundle(spoken, ns))
      i18next.addResourceBundle(spoken, ns, texts[spoken])
    return i18next.t(choose as () => string, { ...values, ns: ns as "translation" })
  }
  return Object.assign(read, { texts }) as Choose<T>
}

/** The texts of the server's errors; null in English, because the server responds in English. */
export let errorTexts: ErrorTexts | null = null

/** Adds those of the refusals that kinds declare. */
export function addRefusals(codes: Readonly<Record<string, string>>): void {
  if (errorTexts) errorTexts = { ...errorTexts, codes: { ...codes, ...errorTexts.codes } }
}

/** Loads the texts of the language. Nothing is shown before. */
export async function loadTexts(): Promise<void> {
  const { default: translation, errors } = await files[language]()
  errorTexts = errors
  document.documentElement.lang = language
  await i18next.init({
    lng: language,
    resources: { [language]: { translation } },
    fallbackLng: false,
    // React escapes.
    interpolation: { escapeValue: false },
  })
}

export function chooseLanguage(next: Language): void {
  localStorage.setItem(storageKey, next)
  location.reload()
}
