import { lower } from "../../lib/text"

const special = /[\\^$.*+?()[\]{}|/]/g

/**
 * Compiles a LIKE pattern: `%` matches anything, `_` one character, `\` escapes. Without a wildcard it means
 * "contains". It ignores case in every script. The time is at most proportional to text length times pattern length.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  const pieces = piecesOf(lower(pattern))
  if (pieces.length === 1 && !pieces[0]?.hasGap) {
    const wanted = pieces[0]?.text ?? ""
    return (text) => lower(text).includes(wanted)
  }
  if (pieces.length === 1) {
    const whole = new RegExp(`^${pieces[0]?.source ?? ""}$`, "su")
    return (text) => whole.test(lower(text))
  }
  const [first, ...others] = pieces
  const last = others.pop()
  const starts = new RegExp(`^${first?.source ?? ""}`, "su")
  const ends = new RegExp(`${last?.source ?? ""}$`, "sgu")
  const middles = others.map((piece) => ({ ...piece, search: new RegExp(piece.source, "sgu") }))
  return (given) => {
    const text = lower(given)
    const start = starts.exec(text)
    if (!start) return false
    let at = start[0].length
    for (const { hasGap, text: wanted, search } of middles) {
      // The leftmost match is always sufficient, so there is no backtracking.
      search.lastIndex = at
      const found = hasGap ? (search.exec(text)?.index ?? -1) : text.indexOf(wanted, at)
      if (found < 0) return false
      at = hasGap ? search.lastIndex : found + wanted.length
    }
    if (!last?.hasGap) return text.length - at >= (last?.text.length ?? 0) && text.endsWith(last?.text ?? "")
    ends.lastIndex = at
    return ends.test(text)
  }
}

type Piece = { text: string; source: string; hasGap: boolean }

function piecesOf(pattern: string): Piece[] {
  const pieces: Piece[] = [{ text: "", source: "", hasGap: false }]
  const characters = [...pattern]
  for (let i = 0; i < characters.length; i++) {
    let character = characters[i] ?? ""
    const piece = pieces.at(-1)
    if (!piece) break
    if (character === "%") {
      pieces.push({ text: "", source: "", hasGap: false })
      continue
    }
    if (character === "_") {
      piece.source += "."
      piece.hasGap = true
      continue
    }
    if (character === "\\" && i + 1 < characters.length) character = characters[++i] ?? ""
    piece.text += character
    piece.source += character.replace(special, "\\$&")
  }
  return pieces
}
