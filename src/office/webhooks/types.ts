import type { FieldError } from "../../core/lib/refusal"
import type { EventKind } from "../events/model"
import { isMatch, unknownTypes } from "../events/query"

const allTypes = (known: readonly EventKind[]): string[] => known.flatMap(({ types }) => types)

/** Returns the types of events that match one of the patterns. */
export const matchedTypes = (patterns: readonly string[], known: readonly EventKind[]): string[] =>
  allTypes(known).filter((type) => patterns.some((pattern) => isMatch(pattern, type)))

/** Returns the errors of patterns that match nothing. Those that are stored already are accepted. */
export function typeErrors(
  given: unknown,
  known: readonly EventKind[],
  stored: readonly string[] = [],
): FieldError[] {
  if (!Array.isArray(given)) return []
  const all = allTypes(known)
  return given.flatMap((pattern, i) =>
    typeof pattern !== "string" ||
    stored.includes(pattern) ||
    all.some((type) => isMatch(pattern.trim(), type))
      ? []
      : [unknownTypes(`types[${i}]`, pattern, all)],
  )
}
