import i18next from "i18next"
import type { Names } from "../../core/kind/define"
import type { ConsoleLanguage } from "../../shared/languages"
import type { Kind } from "../api/types"
import { folders, refusals } from "../folders"
import { addRefusals } from "./index"

/** The texts of a list. `file` is the name of its export. */
type ListTexts = Record<"search" | "none" | "noneYet" | "file" | "selected_one" | "selected_other", string>
export type KindTexts = Required<Pick<Names, "title" | "the" | "audited" | "fields">> & {
  new: string
} & ListTexts

const listTexts: Record<ConsoleLanguage, (names: Names) => ListTexts> = {
  en: ({ one, many, searched = many }) => ({
    search: `Search ${searched}`,
    none: `No ${many} found`,
    noneYet: `No ${many} yet`,
    file: many.replaceAll(" ", "-"),
    selected_one: `{{shown}} ${one} selected.`,
    selected_other: `{{shown}} ${many} selected.`,
  }),
  de: ({ one, many, searched = many }) => ({
    search: `${searched} durchsuchen`,
    none: `Keine ${many} gefunden`,
    noneYet: `Noch keine ${many}`,
    file: many,
    selected_one: `{{shown}} ${one} ausgewählt.`,
    selected_other: `{{shown}} ${many} ausgewählt.`,
  }),
}

/** The texts of each kind of record, from its names. */
export const kindTexts = (language: ConsoleLanguage): Record<Kind, KindTexts> =>
  Object.fromEntries(
    Object.entries(folders).map(([kind, { names }]) => {
      const { title, the, new: label, audited = title, fields = {} } = names[language]
      return [
        kind,
        {
          title,
          the,
          ...(label && { new: label }),
          audited,
          fields,
          ...listTexts[language](names[language]),
        },
      ]
    }),
  ) as Record<Kind, KindTexts>

const merged = (of: "fields" | "statuses", language: ConsoleLanguage): Record<string, string> =>
  Object.assign({}, ...Object.values(folders).map(({ names }) => names[language][of] ?? {})) as Record<
    string,
    string
  >

/** The names of all statuses of kinds, and of the fields that only one kind has. */
export const ownNames = (language: ConsoleLanguage) => ({
  fields: merged("fields", language),
  values: { status: merged("statuses", language) },
})

/** Adds the texts of the kinds to those of the frame, which are not replaced. */
export function addKindTexts(): void {
  // Some tests show pages without texts.
  if (!i18next.isInitialized) return
  const language = i18next.language as ConsoleLanguage
  const texts = { kinds: kindTexts(language), ...ownNames(language) }
  i18next.addResourceBundle(language, "translation", texts, true, false)
  addRefusals(refusals)
}
