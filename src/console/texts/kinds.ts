import type { Names } from "../../core/kind/define"
import type { ConsoleLanguage } from "../../shared/languages"
import type { Kind } from "../api/types"
import { folders } from "../folders"

/** The texts of a list. `file` is the name of its export. */
type ListTexts = Record<"search" | "none" | "noneYet" | "file" | "selected_one" | "selected_other", string>
export type KindTexts = Required<Pick<Names, "title" | "the" | "audited">> & { new: string } & ListTexts

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
      const { title, the, new: label, audited = title } = names[language]
      return [
        kind,
        { title, the, ...(label && { new: label }), audited, ...listTexts[language](names[language]) },
      ]
    }),
  ) as Record<Kind, KindTexts>
