// Texts that cost more than others of their length, and the sizes at which a field is given them.
import { diceOf } from "./dice"

/** What a text is made of: `unit` is repeated after `head`, and each character takes so many bytes. */
const makings = {
  letters: { head: "", unit: "a", bytes: 1 },
  /** Marks of different classes in turn: to put them in canonical order takes the square of their number. */
  marks: { head: "a", unit: "\u0316\u0301", bytes: 2 },
  astral: { head: "", unit: "🔩", bytes: 4 },
  /** One character that stands for eighteen. */
  ligatures: { head: "", unit: "\ufdfa", bytes: 3 },
  words: { head: "", unit: manyWords(), bytes: 1 },
} as const

export type TextKind = keyof typeof makings
export const textKinds = Object.keys(makings) as TextKind[]

/** A text of so many characters. */
export function textOf(kind: TextKind, length: number): string {
  const { head, unit } = makings[kind]
  const isPairs = kind === "astral"
  const units = isPairs ? length * 2 : length
  return (head + unit.repeat(Math.ceil(units / unit.length))).slice(0, units)
}

/** A text of at most so many bytes. */
export const textOfBytes = (kind: TextKind, bytes: number): string =>
  textOf(kind, Math.floor(bytes / makings[kind].bytes))

export type Rung = { name: string; text: string }

/** Close to the largest body there may be, with room for its other fields. */
export const nearlyAll = 1_000_000

/** Texts of one kind for a field, from short to long. After one that is a fault the longer ones are skipped. */
export function* ladderOf(kind: TextKind, longest: number | undefined): Generator<Rung> {
  if (longest !== undefined) {
    yield { name: `${longest} ${kind}`, text: textOf(kind, longest) }
    yield { name: `${longest * 2} ${kind}`, text: textOf(kind, longest * 2) }
  }
  for (const bytes of [40_000, 100_000, nearlyAll])
    if (longest === undefined || bytes > longest * 2)
      yield { name: `${bytes / 1000} kB of ${kind}`, text: textOfBytes(kind, bytes) }
}

/** Different words, the same at every run: the dice of the run decide on requests, not on these. */
function manyWords(): string {
  const dice = diceOf(7)
  const letter = () => String.fromCharCode(dice.between(97, 122))
  return Array.from({ length: 20_000 }, () =>
    Array.from({ length: dice.between(2, 9) }, letter).join(""),
  ).join(" ")
}
