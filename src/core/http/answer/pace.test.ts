import { expect, test } from "bun:test"
import { deadlines, standardPace } from "./download"

const { slowest, longestPause } = standardPace
const chunk = 64 * 1024

/**
 * Returns the second in which a client that reads at a rate loses a file, or null if it gets all of it. Buffers hold some
 * bytes between the server and the client. The server notices that there is room when a third of them is free.
 */
function lostAt(rate: (second: number) => number, { size = 200e6, buffers = 4e6, tookMillis = 0 } = {}) {
  const times = deadlines(standardPace, 0)
  let [sent, taken, isWaiting] = [0, 0, false]
  for (let second = 0; sent < size; second++) {
    const now = second * 1_000
    taken = Math.min(taken + rate(second), sent)
    if (sent - taken <= (buffers * 2) / 3) isWaiting = false
    while (!isWaiting && sent < size) {
      sent += chunk
      times.got(chunk, tookMillis, now)
      isWaiting = sent - taken >= buffers
    }
    if (isWaiting && times.due() < now) return second
  }
  return null
}

test("a client that reads steadily gets the whole file, however long that takes", () => {
  for (const rate of [slowest, 2 * slowest, 1e5, 1e8]) expect(lostAt(() => rate)).toBeNull()
})

test("a client that reads too slowly loses it, the sooner the slower", () => {
  const times = [0, 1, 1_000, slowest / 2].map((rate) => lostAt(() => rate) ?? Infinity)
  expect(times.map((second) => second * 1_000)).toEqual(times.map(() => expect.any(Number)))
  expect(times[0]).toBe(longestPause / 1_000 + 1)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(-1)).toBeLessThan(3_600)
})

test("a client that was fast may pause, but not for longer than others", () => {
  const pausing = (pause: number) => (second: number) => (second < 60 || second >= 60 + pause ? 1e6 : 0)
  expect(lostAt(pausing(longestPause / 1_000 - 20))).toBeNull()
  expect(lostAt(pausing(10 * longestPause))).toBeLessThan(60 + 10 + longestPause / 1_000)
})

test("time that the server needs does not count", () => {
  const times = deadlines(standardPace, 0)
  for (let hour = 1; hour <= 5; hour++) {
    times.got(1, 3_600_000, hour * 3_600_000)
    expect(times.due()).toBeGreaterThan(hour * 3_600_000)
  }
})
