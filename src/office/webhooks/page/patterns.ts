import { eventTypes, type EventKindName, type Happening } from "../../../shared/event-types"

export const everything = "*"
export const eventKinds = Object.keys(eventTypes) as EventKindName[]
export const happeningsOf = (kind: EventKindName): readonly Happening[] => eventTypes[kind]

export const wholeKind = (kind: EventKindName): string => `${kind}.*`
const single = (kind: EventKindName, happening: Happening): string => `${kind}.${happening}`

/** True if the patterns contain all types of a kind. */
export const hasKind = (patterns: readonly string[], kind: EventKindName): boolean =>
  patterns.includes(everything) || patterns.includes(wholeKind(kind))

/** True if the patterns contain one type. */
export const hasType = (patterns: readonly string[], kind: EventKindName, happening: Happening): boolean =>
  hasKind(patterns, kind) || patterns.includes(single(kind, happening))

/** True if the patterns contain at least one type of a kind. */
export const hasSome = (patterns: readonly string[], kind: EventKindName): boolean =>
  happeningsOf(kind).some((happening) => hasType(patterns, kind, happening))

/** Adds or removes all types of a kind. */
export function withKind(patterns: readonly string[], kind: EventKindName, isWanted: boolean): string[] {
  const others = byKind(patterns).filter((pattern) => !pattern.startsWith(`${kind}.`))
  return isWanted ? [...others, wholeKind(kind)] : others
}

/** Adds or removes one type. What contained it becomes the list of the other types. */
export function withType(
  patterns: readonly string[],
  kind: EventKindName,
  happening: Happening,
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
