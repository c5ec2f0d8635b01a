import { eventTypes } from "../../../console/folders"

export const everything = "*"
export const eventKinds = Object.keys(eventTypes)
export const happeningsOf = (kind: string): readonly string[] => eventTypes[kind] ?? []

export const wholeKind = (kind: string): string => `${kind}.*`
const single = (kind: string, happening: string): string => `${kind}.${happening}`

/** True if the patterns contain all types of a kind. */
export const hasKind = (patterns: readonly string[], kind: string): boolean =>
  patterns.includes(everything) || patterns.includes(wholeKind(kind))

/** True if the patterns contain one type. */
export const hasType = (patterns: readonly string[], kind: string, happening: string): boolean =>
  hasKind(patterns, kind) || patterns.includes(single(kind, happening))

/** True if the patterns contain at least one type of a kind. */
export const hasSome = (patterns: readonly string[], kind: string): boolean =>
  happeningsOf(kind).some((happening) => hasType(patterns, kind, happening))

/** Adds or removes all types of a kind. */
export function withKind(patterns: readonly string[], kind: string, isWanted: boolean): string[] {
  const others = byKind(patterns).filter((pattern) => !pattern.startsWith(`${kind}.`))
  return isWanted ? [...others, wholeKind(kind)] : others
}

/** Adds or removes one type. What contained it becomes the list of the other types. */
export function withType(
  patterns: readonly string[],
  kind: string,
  happening: string,
  isWanted: boolean,
): string[] {
  const wanted = happeningsOf(kind).filter((each) =>
    each === happening ? isWanted : hasType(patterns, kind, each),
  )
  return [...withKind(patterns, kind, false), ...wanted.map((each) => single(kind, each))]
}

/** `*` as one pattern for each kind. */
const byKind = (patterns: readonly string[]): string[] =>
  patterns.includes(everything) ? eventKinds.map(wholeKind) : [...patterns]
