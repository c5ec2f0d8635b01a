/** No record has nearly as many fields: what lies beyond is only counted, because making objects of it takes long. */
const mostMembers = 1_000
/** The largest document that is sent back whole has about this many fields in all its lines. */
const mostInAll = 50_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openers: ReadonlySet<number> = new Set([0x7b, 0x5b])
const closers: ReadonlySet<number> = new Set([0x7d, 0x5d])

/** What a JSON text would make, found in one pass over its bytes before anything is made of it. */
export type JsonShape = {
  depth: number
  /** More fields than any body of ours has, in all its objects together. */
  isTooWide: boolean
  /** How many fields of too wide objects were left out of `bytes`. */
  leftOut: number
  bytes: Uint8Array
}

type Level = { members: number; cutAt: number }

/** Looks through a JSON text, which may be invalid, and cuts every object after its first thousand fields. */
export function shapeOfJson(bytes: Uint8Array): JsonShape {
  const levels: Level[] = []
  const cuts: [from: number, to: number][] = []
  let [depth, members, leftOut, cutDepth] = [0, 0, 0, 0]
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte === quote) i = endOfText(bytes, i)
    else if (openers.has(byte)) {
      levels.push({ members: 0, cutAt: 0 })
      depth = Math.max(depth, levels.length)
    } else if (closers.has(byte)) {
      const level = levels.pop()
      if (level && level.cutAt > 0) {
        cuts.push([level.cutAt, i])
        cutDepth = 0
      }
    } else if (byte === colon || byte === comma) {
      const level = levels.at(-1)
      const isCut = cutDepth > 0
      if (!level || (isCut && cutDepth < levels.length)) continue
      if (byte === colon) {
        level.members++
        if (isCut) leftOut++
        else members++
      } else if (!isCut && level.members >= mostMembers) {
        level.cutAt = i
        cutDepth = levels.length
      }
    }
  }
  return {
    depth,
    isTooWide: members > mostInAll,
    leftOut,
    bytes: cuts.length > 0 ? without(bytes, cuts) : bytes,
  }
}

/** Where a text in quotes ends. */
function endOfText(bytes: Uint8Array, start: number): number {
  let i = start + 1
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}

function without(bytes: Uint8Array, cuts: readonly [from: number, to: number][]): Uint8Array {
  const kept: Uint8Array[] = []
  let at = 0
  for (const [from, to] of cuts) {
    kept.push(bytes.subarray(at, from))
    at = to
  }
  return Buffer.concat([...kept, bytes.subarray(at)])
}
