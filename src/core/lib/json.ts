/** No record has this many fields. Of a larger object only the first fields are parsed, and the body is refused. */
export const mostMembers = 1_000
/** The longest valid array has 1,000 entries. */
export const mostEntries = 5_000
/** The largest valid body, a whole document with all its lines, has fewer values. */
export const mostValues = 50_000

/** Much deeper than any valid body, so the rest of the text does not matter. */
const deepestScanned = 1_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openObject = 0x7b
const closeList = 0x5d
const space = 0x20
const openers: ReadonlySet<number> = new Set([openObject, 0x5b])
const closers: ReadonlySet<number> = new Set([0x7d, closeList])

/** The shape of a JSON text. It is found in one pass over the bytes, before parsing, because parsing may take long. */
export type JsonShape = {
  depth: number
  /** False when an object or a list is never closed, so that it cannot be JSON. */
  isClosed: boolean
  /** True when the text has more values than any valid body, in all objects and lists together. */
  isTooWide: boolean
  /** The number of fields and entries that are not in `bytes`, because no valid object or list has as many. */
  omitted: number
  bytes: Uint8Array
}

type Range = [from: number, to: number]
type Level = { isObject: boolean; members: number; cutAt: number }

/**
 * Scans a JSON text, which may be invalid. In the returned bytes every object ends after its first 1,000 fields, and
 * every list after its first 5,000 entries.
 */
export function shapeOfJson(bytes: Uint8Array): JsonShape {
  const levels: Level[] = []
  const cuts: Range[] = []
  let [depth, values, omitted, cutDepth] = [0, 0, 0, 0]
  for (let i = 0; i < bytes.length && depth <= deepestScanned; i++) {
    const byte = bytes[i] ?? 0
    if (byte === quote) i = endOfText(bytes, i)
    else if (openers.has(byte)) {
      levels.push({ isObject: byte === openObject, members: 0, cutAt: 0 })
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
      if (byte === (level.isObject ? colon : comma)) {
        level.members++
        if (isCut) omitted++
        else values++
      }
      if (byte === comma && !isCut && level.members >= (level.isObject ? mostMembers : mostEntries)) {
        level.cutAt = i
        cutDepth = levels.length
        if (!level.isObject) omitted++
      }
    }
  }
  return {
    depth,
    isClosed: levels.length === 0,
    isTooWide: values > mostValues,
    omitted,
    bytes: cuts.length > 0 ? without(bytes, cuts) : bytes,
  }
}

/** A JSON text whose `parts` are cut out: in `outer` there is the index of each in its place. */
export type JsonParts = { outer: Uint8Array; parts: Uint8Array[] }

/**
 * Cuts out the entries of the lists directly in the outermost object, so that each can be parsed by itself: parsing
 * megabytes at once would block other requests. A longer list than any valid one is not cut after its 5,000th entry.
 */
export function splitJson(bytes: Uint8Array): JsonParts {
  const parts: Range[] = []
  let [depth, isList, start] = [0, false, 0]
  for (let i = 0; i < bytes.length && parts.length <= mostEntries; i++) {
    const byte = bytes[i] ?? 0
    if (byte === quote) i = endOfText(bytes, i)
    else if (openers.has(byte)) {
      depth++
      if (depth === 2) [isList, start] = [byte !== openObject, i + 1]
    } else if (isList && depth === 2 && (byte === comma || byte === closeList)) {
      const isEmptyList = byte === closeList && parts.at(-1)?.[1] !== start - 1 && isBlank(bytes, start, i)
      if (!isEmptyList) parts.push([start, i])
      start = i + 1
      if (byte === closeList) depth--
    } else if (closers.has(byte)) depth--
  }
  const indexes = parts.map((_, i) => Buffer.from(String(i)))
  return { outer: without(bytes, parts, indexes), parts: parts.map(([from, to]) => bytes.subarray(from, to)) }
}

const isBlank = (bytes: Uint8Array, from: number, to: number): boolean =>
  bytes.subarray(from, to).every((byte) => byte <= space)

/** The index of the closing quote of a string. */
function endOfText(bytes: Uint8Array, start: number): number {
  let i = start + 1
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}

/** Cuts ranges out of a text. `instead` is put in their places. */
function without(bytes: Uint8Array, cuts: readonly Range[], instead: readonly Uint8Array[] = []): Uint8Array {
  const kept: Uint8Array[] = []
  let at = 0
  for (const [i, [from, to]] of cuts.entries()) {
    kept.push(bytes.subarray(at, from), instead[i] ?? new Uint8Array())
    at = to
  }
  return Buffer.concat([...kept, bytes.subarray(at)])
}
