// Texts that cost more than others of the same length, and the sizes that a field is tested with.
import { randomFrom } from "./random"

/** What a text consists of: `head`, then `unit` repeated. Each character takes `bytes` bytes. */
const definitions = {
  letters: { head: "", unit: "a", bytes: 1 },
  /** Marks of alternating classes: canonical ordering takes time that grows with the square of their number. */
  marks: { head: "a", unit: "\u0316\u0301", bytes: 2 },
  astral: { head: "", unit: "🔩", bytes: 4 },
  /** One character that expands to eighteen. */
  ligatures: { head: "", unit: "\ufdfa", bytes: 3 },
  words: { head: "", unit: manyWords(), bytes: 1 },
} as const

export type TextKind = keyof typeof definitions
export const textKinds = Object.keys(definitions) as TextKind[]

/** Creates a text of `length` characters. */
export function textOf(kind: TextKind, length: number): string {
  const { head, unit } = definitions[kind]
  const isPairs = kind === "astral"
  const units = isPairs ? length * 2 : length
  return (head + unit.repeat(Math.ceil(units / unit.length))).slice(0, units)
}

/** Creates a text of at most `bytes` bytes. */
export const textOfBytes = (kind: TextKind, bytes: number): string =>
  textOf(kind, Math.floor(bytes / definitions[kind].bytes))

/** The most marks that a field accepts in a row, again and again: a text that is stored, with `length` characters. */
export const mostMarks = (length: number): string =>
  `a${"\u0316\u0301".repeat(4)}`.repeat(Math.ceil(length / 9)).slice(0, length)

export type SizedText = { name: string; text: string }

/** Close to the maximum size of a body, with space for its other fields. */
export const nearlyAll = 1_000_000

/** Texts of one kind for a field, from short to long. After a failure the longer ones are skipped. */
export function* textSeries(kind: TextKind, longest: number | undefined): Generator<SizedText> {
  if (longest !== undefined) {
    yield { name: `${longest} ${kind}`, text: textOf(kind, longest) }
    yield { name: `${longest * 2} ${kind}`, text: textOf(kind, longest * 2) }
  }
  for (const bytes of [40_000, 100_000, nearlyAll])
    if (longest === undefined || bytes > longest * 2)
      yield { name: `${bytes / 1000} kB of ${kind}`, text: textOfBytes(kind, bytes) }
}

/** Random words. They are the same in every run, regardless of its seed. */
function manyWords(): string {
  const random = randomFrom(7)
  const letter = () => String.fromCharCode(random.between(97, 122))
  return Array.from({ length: 20_000 }, () =>
    Array.from({ length: random.between(2, 9) }, letter).join(""),
  ).join(" ")
}
