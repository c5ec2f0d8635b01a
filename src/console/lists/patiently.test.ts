import { describe, expect, jest, test } from "bun:test"
import { ApiError } from "../api/send"
import { patiently } from "./patiently"

const limited = () => Promise.reject(new ApiError(429, "RATE_LIMITED", "Too many requests."))

describe("A request that waits for the rate limit", () => {
  test("fails at once when the user stops it.", async () => {
    const controller = new AbortController()
    // The time of the wait never comes.
    jest.useFakeTimers()
    const waiting = patiently(limited, controller.signal).catch(({ status }) => status)
    await Promise.resolve()
    controller.abort()
    expect(await waiting).toBe(429)
    jest.useRealTimers()
  })

  test("is repeated when a busy server says, and not if the server does not say when.", async () => {
    const { signal } = new AbortController()
    const busy = (retryAfter: number | null) =>
      new ApiError(503, "SERVICE_UNAVAILABLE", "Busy.", [], undefined, retryAfter)
    const errors = [busy(0.01), busy(0.01)]
    const send = async () => {
      const error = errors.pop()
      if (error) throw error
      return "done"
    }
    expect(await patiently(send, signal)).toBe("done")
    expect(await patiently(() => Promise.reject(busy(null)), signal).catch(({ status }) => status)).toBe(503)
  })

  test("is not repeated after another error.", async () => {
    let sent = 0
    const fail = () => {
      sent++
      return Promise.reject(new ApiError(422, "VALIDATION_ERROR", "The item has invalid values."))
    }
    expect(await patiently(fail, new AbortController().signal).catch(({ status }) => status)).toBe(422)
    expect(sent).toBe(1)
  })
})
