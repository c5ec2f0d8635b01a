import { millisOf } from "../../shared/dates"
import { leeway } from "./clock"
import { randomBytes } from "./random/random"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const fortyBits = 2 ** 40
const poolLength = 256
let pool = new Uint32Array(poolLength)
let used = poolLength

let lastMillis = 0
let lastTime = ""
let high = 0
let highText = ""
let low = 0
/** The last time that was read. A write has many IDs with the same. */
let read = { now: "", millis: 0 }

/**
 * `itm_` and 26 characters: 48 bits of time, then 80 random bits. IDs of one process sort in the order of creation, until
 * the clock is set back as in `systemClock`. Within a millisecond each adds a random number to the previous one, so that
 * the next ID cannot be guessed.
 */
export function newId(prefix: string, now: string): string {
  if (now !== read.now) read = { now, millis: millisOf(now) }
  const { millis } = read
  if (millis > lastMillis || millis < lastMillis - leeway) {
    lastMillis = millis
    lastTime = base32(millis, 10)
    setHigh(randomBits40())
    low = randomBits40()
  } else {
    low += 1 + random32()
    if (low >= fortyBits) {
      low -= fortyBits
      setHigh((high + 1) % fortyBits)
    }
  }
  return `${prefix}_${lastTime}${highText}${base32(low, 8)}`
}

function setHigh(value: number): void {
  high = value
  highText = base32(value, 8)
}

/** Begins again, after another seed: the next ID does not depend on those before it. */
export function beginIds(): void {
  lastMillis = 0
  used = poolLength
}

/** An ID that no seed decides on: what it names outlives a reset of the demo. */
export const newRandomId = (prefix: string, now: string): string =>
  `${prefix}_${base32(millisOf(now), 10)}${systemBits40()}${systemBits40()}`

const systemBits40 = (): string => {
  const [low = 0, high = 0] = crypto.getRandomValues(new Uint32Array(2))
  return base32((high % 256) * 2 ** 32 + low, 8)
}

/** An ID that sorts before all of a time, and after those before it. */
export const firstIdOf = (prefix: string, time: string): string => `${prefix}_${base32(millisOf(time), 10)}`

/** The digits of the numbers below 32². */
const pairs = Array.from({ length: 32 ** 2 }, (_, i) => `${alphabet[i >> 5]}${alphabet[i & 31]}`)

/** An even number of digits. */
function base32(value: number, length: number): string {
  let text = ""
  for (let rest = value, i = 0; i < length; i += 2, rest = Math.floor(rest / 1024))
    text = pairs[rest % 1024] + text
  return text
}

const randomBits40 = () => (random32() % 256) * 2 ** 32 + random32()

function random32(): number {
  if (used === poolLength) {
    pool = new Uint32Array(randomBytes("ids", 4 * poolLength).buffer)
    used = 0
  }
  return pool[used++] ?? 0
}
