import { expect, test } from "bun:test"
import { Refusal } from "../../core/lib/refusal"
import { loginThrottle } from "./throttle"

/** True when the attempt was allowed. */
const tries = async (
  throttle: ReturnType<typeof loginThrottle>,
  email: string,
  address: string,
): Promise<boolean> => {
  try {
    await throttle.begin(email, address, false)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

test("Refused attempts do not evict the counters that refuse them.", async () => {
  const throttle = loginThrottle()
  let passed = 0
  for (let i = 0; i < 50_000; i++)
    if (await tries(throttle, "owner@example.com", `2001:db8:1:${(i & 0xffff).toString(16)}::1`)) passed++
  expect(passed).toBe(30)
})

test("Attempts for other emails from other addresses do not evict a blocked email.", async () => {
  const throttle = loginThrottle()
  for (let i = 0; i < 30; i++) await tries(throttle, "owner@example.com", `10.0.${i}.1`)
  for (let i = 0; i < 21_000; i++)
    await tries(throttle, `m${i}@example.com`, `10.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`)
  expect(await tries(throttle, "owner@example.com", "192.0.2.200")).toBeFalse()
})
