type Option = { value: string; label: string }

/**
 * Returns the options that match the typed text, ignoring case and accents, the best matches first: the code itself,
 * then the start of the label, then the start of a word in it. EUR finds the euro before the WIR euro, and Oman is
 * found before Romania.
 */
export function bestFirst<T extends Option>(options: readonly T[], typed: string): T[] {
  const wanted = plain(typed.trim())
  const ranked = options.map((option) => ({ option, rank: rankOf(option, wanted) }))
  return ranked
    .filter(({ rank }) => rank < 4)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ option }) => option)
}

function rankOf({ value, label }: Option, wanted: string): number {
  const text = plain(label)
  const at = text.indexOf(wanted)
  if (plain(value) === wanted) return 0
  if (at <= 0) return at === 0 ? 1 : 4
  return isLetter.test(text[at - 1] ?? "") ? 3 : 2
}

const isLetter = /[\p{L}\p{N}]/u
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
