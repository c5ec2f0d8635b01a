import type { Position } from "./cursor"

type Value = Position["value"]
type Compare = (a: Position, b: Position) => number

type Order = "asc" | "desc"

/**
 * Compares in the same order as SQLite: null first, then numbers, then text by its UTF-8 bytes. A list by two fields has an
 * order for each. Positions with equal values are in the order of their ids, in the direction of the last field.
 */
export function positionsIn([first, second = first]: readonly Order[]): Compare {
  const [one, other] = [first === "desc" ? -1 : 1, second === "desc" ? -1 : 1]
  return (a, b) =>
    one * compareValues(a.value, b.value) ||
    other * (compareValues(a.second ?? null, b.second ?? null) || compareText(a.id, b.id))
}

function compareValues(a: Value, b: Value): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  if (typeof a === "string" && typeof b === "string") return compareText(a, b)
  return a < b ? -1 : 1
}

/** UTF-16 and UTF-8 sort text the same way, except for surrogate pairs: they sort last. */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

const firstRun = 1_000

/**
 * Collects positions and returns the first `most` of them in order. They are stored in sorted runs. A run is merged
 * with a run of similar length only, so that each position is merged few times.
 */
export function firstOf(most: number, orders: readonly Order[]) {
  const compare = positionsIn(orders)
  const runs: Position[][] = []
  let unsorted: Position[] = []

  const mergeLast = (): void => {
    const [b = [], a = []] = [runs.pop(), runs.pop()]
    runs.push(merged(a, b, most, compare))
  }
  const addRun = (): void => {
    runs.push(unsorted.sort(compare))
    unsorted = []
    while (runs.length > 1 && (runs.at(-2)?.length ?? 0) <= 2 * (runs.at(-1)?.length ?? 0)) mergeLast()
  }
  return {
    add(positions: readonly Position[]): void {
      for (const position of positions) {
        unsorted.push(position)
        if (unsorted.length >= firstRun) addRun()
      }
    },
    all(): Position[] {
      addRun()
      while (runs.length > 1) mergeLast()
      return runs[0] ?? []
    },
  }
}

function merged(a: readonly Position[], b: readonly Position[], most: number, compare: Compare): Position[] {
  const both: Position[] = []
  for (let i = 0, j = 0; both.length < most && (i < a.length || j < b.length);) {
    const [left, right] = [a[i], b[j]]
    const takesLeft = left !== undefined && (right === undefined || compare(left, right) <= 0)
    const next = takesLeft ? left : right
    if (next) both.push(next)
    if (takesLeft) i++
    else j++
  }
  return both
}
