import { kindOf, kinds } from "../../../console/kinds"
import { t as common } from "../../../console/texts"

export { actionInWords } from "./actions"

/** What the entries are about, by the name that the server uses. */
export const kindNames: Record<string, string> = {
  ...Object.fromEntries(
    Object.keys(kinds).map((name) => [name, common(($) => $.kinds[name as keyof typeof kinds].audited)]),
  ),
  ...common(($) => $.values.auditKind, { returnObjects: true }),
}

export const kindInWords = (kind: string): string => kindNames[kind] ?? kind

/** Returns the path of a record's page, or null if it has none. */
export const recordPathOf = (kind: string | null, id: string | null): string | null =>
  (kind && id && kindOf(kind)?.recordPath?.(id)) || null
