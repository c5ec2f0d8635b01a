import { expect, test } from "bun:test"
import { Refusal } from "../../lib/refusal"
import { loginThrottle } from "./throttle"

/** True when the attempt was allowed. */
const tries = (throttle: ReturnType<typeof loginThrottle>, email: string, address: string): boolean => {
  try {
    throttle.begin(email, address, false)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

test("Refused attempts do not evict the counters that refuse them.", () => {
  const throttle = loginThrottle()
  let passed = 0
  for (let i = 0; i < 50_000; i++)
    if (tries(throttle, "owner@example.com", `2001:db8:1:${(i & 0xffff).toString(16)}::1`)) passed++
  expect(passed).toBe(30)
})

test("Attempts for other emails from other addresses do not evict a blocked email.", () => {
  const throttle = loginThrottle()
  for (let i = 0; i < 30; i++) tries(throttle, "owner@example.com", `10.0.${i}.1`)
  for (let i = 0; i < 21_000; i++)
    tries(throttle, `m${i}@example.com`, `10.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`)
  expect(tries(throttle, "owner@example.com", "192.0.2.200")).toBeFalse()
})
