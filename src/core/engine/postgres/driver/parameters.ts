import { ptr, type Pointer } from "bun:ffi"
import { NulInText } from "./errors"

export type Value = string | number | bigint | boolean | null | Uint8Array

/** The parameters of a statement in memory, as libpq expects them. They are valid until the next `encode`. */
export type Encoded = {
  count: number
  /** The memory that the addresses point to. */
  kept?: unknown
  values: Pointer | null
  lengths: Pointer | null
  formats: Pointer | null
}

/** The protocol has 16 bits for the number of parameters. */
const most = 65_535
/** The longest text of a number. */
const numberRoom = 32
/** The most memory that is kept from one statement to the next. */
const mostKept = 1 << 20

const none: Encoded = { count: 0, values: null, lengths: null, formats: null }

/** The arrays that libpq reads. The addresses are pairs of 32-bit halves: numbers are faster than bigints. */
type Arrays = { addresses: Uint32Array; lengths: Int32Array; formats: Int32Array }

function arraysFor(count: number): Arrays {
  const [lengths, formats] = [new Int32Array(count), new Int32Array(count)]
  return { addresses: new Uint32Array(2 * count), lengths, formats }
}

/** Writes parameters to memory of their own. */
export const encodeOnce = (values: readonly unknown[]): Encoded => encoder({ bytes: 0, count: 0 })(values)

/** Returns a function that writes parameters to memory, which it reuses. At first it has room for `bytes` and `count`. */
export function encoder({ bytes = 1 << 16, count: places = 256 } = {}): (
  values: readonly unknown[],
) => Encoded {
  let [kept, arrays] = [Buffer.alloc(bytes), arraysFor(places)]
  return (values) => {
    const count = values.length
    if (count === 0) return none
    if (count > most) throw new RangeError(`A statement has ${count} parameters; PostgreSQL allows ${most}.`)
    if (count > arrays.lengths.length) arrays = arraysFor(Math.min(2 * count, most))
    let needed = 0
    for (const value of values) needed += roomFor(value)
    const room = needed <= kept.length ? kept : Buffer.alloc(needed)
    if (needed <= mostKept) kept = room
    const hasBytes = fill(room, values as readonly Value[], arrays)
    const { addresses, lengths, formats } = arrays
    return {
      count,
      values: ptr(addresses),
      lengths: hasBytes ? ptr(lengths) : null,
      formats: hasBytes ? ptr(formats) : null,
      kept: [room, arrays],
    }
  }
}

/** Writes the values and their addresses. Returns true if there are bytes among them. */
function fill(room: Buffer, values: readonly Value[], { addresses, lengths, formats }: Arrays): boolean {
  const start = Number(ptr(room))
  let [at, hasBytes] = [0, false]
  values.forEach((value, i) => {
    const address = value === null ? 0 : start + at
    addresses[2 * i] = address % 0x1_0000_0000
    addresses[2 * i + 1] = Math.floor(address / 0x1_0000_0000)
    const isBytes = value instanceof Uint8Array
    hasBytes ||= isBytes
    formats[i] = isBytes ? 1 : 0
    lengths[i] = isBytes ? value.byteLength : 0
    if (value !== null) at += write(room, value, at)
  })
  return hasBytes
}

/** The most bytes that a value takes. Refuses values that cannot be sent. */
function roomFor(value: unknown): number {
  if (typeof value === "string") {
    if (value.includes("\0")) throw new NulInText()
    return 3 * value.length + 1
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be a parameter of a statement.`)
    return numberRoom
  }
  if (typeof value === "bigint") return value.toString().length + 1
  if (typeof value === "boolean" || value === null) return numberRoom
  if (value instanceof Uint8Array) return value.byteLength + 1
  throw new TypeError(`A value of type ${typeof value} cannot be a parameter of a statement.`)
}

/** Writes a value and the NUL byte that ends it. Returns the number of bytes. */
function write(room: Buffer, value: Exclude<Value, null>, at: number): number {
  let size: number
  if (value instanceof Uint8Array) {
    room.set(value, at)
    size = value.byteLength
  } else {
    const text = typeof value === "boolean" ? (value ? "1" : "0") : String(value)
    size = room.write(text, at)
  }
  room[at + size] = 0
  return size + 1
}
