import { expect, test } from "bun:test"
import { limiter } from "./limiter"

const plan = { perMinute: 10, perDay: null }

test("many addresses evict the oldest counters instead of growing without limit", () => {
  const limits = limiter({ find: () => 0 })
  limits.take("first", plan)
  expect(limits.peek("first", plan).remaining).toBe(9)
  for (let i = 0; i < 100_001; i++) limits.take(`ip:${i}`, plan)
  expect(limits.peek("first", plan).remaining).toBe(10)
})

test("the daily count of an evicted counter is still written", () => {
  const limits = limiter({ find: () => 0 })
  const daily = { perMinute: 1_000, perDay: 100 }
  limits.take("key:1", daily)
  for (let i = 0; i < 100_001; i++) limits.take(`ip:${i}`, plan)
  const days = limits.unwrittenDays()
  expect(days).toMatchObject([{ subject: "key:1", count: 1 }])
  limits.markWritten(days.map((day) => ({ ...day, total: day.count })))
  expect(limits.unwrittenDays()).toEqual([])
})

test("what other servers have stored counts too, and requests since the write are kept", () => {
  const limits = limiter({ find: () => 0 })
  const daily = { perMinute: 1_000, perDay: 100 }
  limits.takeMore("key:1", daily, 10)
  const days = limits.unwrittenDays()
  limits.takeMore("key:1", daily, 5)
  limits.markWritten(days.map((day) => ({ ...day, total: 40 })))
  expect(limits.usage("key:1", daily).day.remaining).toBe(55)
  expect(limits.unwrittenDays()).toMatchObject([{ subject: "key:1", count: 5 }])
})
