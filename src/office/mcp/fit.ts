/** The largest answer of a tool, in bytes of JSON: longer ones fill the memory of a model without helping it. */
export const mostBytes = 25_000
/** What an answer has beside its records, such as a cursor and a note. */
const rest = 1_500

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "")

/** How many of these fit into one answer. */
export function fitting(values: readonly unknown[], most = mostBytes - rest): number {
  let bytes = 0
  const over = values.findIndex((value) => {
    bytes += bytesOf(value) + 1
    return bytes > most
  })
  return over < 0 ? values.length : over
}

type Part = Record<string, unknown>

/** A record that fits into one answer, and sentences that say what it lacks. */
export type Fitted = { record: Part; notes: string[] }

/**
 * Makes a record fit: its longest list gets only as many entries as fit, beginning with number `from`, and fields that are
 * still too long are cut or left out. `more` is how the caller gets the other entries.
 */
export function fitted(whole: Part, from: number, more: string, most = mostBytes - rest): Fitted {
  const notes: string[] = []
  let record = whole
  const [name, list] = longestList(whole)
  if (name !== null && (from > 1 || bytesOf(whole) > most)) {
    const others = bytesOf({ ...whole, [name]: [] })
    const wanted = list.slice(from - 1)
    const shown = wanted.slice(0, fitting(wanted, Math.max(most - others, most / 2)))
    record = { ...whole, [name]: shown }
    notes.push(listNote(name, list.length, { from, shown: shown.length, more }))
  }
  for (const field of bySize(record)) {
    if (bytesOf(record) <= most) break
    if (field === name || field === "id") continue
    const { [field]: value, ...others } = record
    const room = most - bytesOf(others) - field.length - 10
    const cut = typeof value === "string" && room > 100 ? cutTo(value, room) : null
    record = cut === null ? others : { ...record, [field]: cut }
    notes.push(`${field} is too long for one answer, and was ${cut === null ? "left out" : "cut"}.`)
  }
  return { record, notes }
}

function listNote(name: string, length: number, at: { from: number; shown: number; more: string }): string {
  const { from, shown, more } = at
  if (shown === 0) return `${name} has ${length} entries, and none from ${from} on fits or exists.`
  const to = from + shown - 1
  const rest = to < length ? ` For the next ones ${more} with from: ${to + 1}.` : ""
  return `${name} has ${length} entries; these are ${from} to ${to}.${rest}`
}

/** The names of the fields, the largest first. */
const bySize = (record: Part): string[] =>
  Object.entries(record)
    .map(([name, value]) => ({ name, bytes: bytesOf(value) }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name }) => name)

const longestList = (record: Part): [name: string, list: unknown[]] | [name: null, list: never[]] => {
  const name = bySize(record).find((each) => Array.isArray(record[each]))
  return name === undefined ? [null, []] : [name, record[name] as unknown[]]
}

function cutTo(text: string, bytes: number): string {
  let cut = text.slice(0, bytes)
  while (bytesOf(cut) > bytes) cut = cut.slice(0, Math.floor(cut.length * 0.9))
  return `${cut.toWellFormed()}…`
}
