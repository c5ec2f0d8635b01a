import { expect, test } from "bun:test"
import { isRetryable } from "./outcome"

test("A message is sent again that failed, is uncertain, or waits after an attempt.", () => {
  const attempts = [{ at: "2026-11-01T00:00:00.000Z", step: "data" as const, code: 451, text: "later" }]
  expect(isRetryable({ status: "failed", attempts })).toBe(true)
  expect(isRetryable({ status: "uncertain", attempts })).toBe(true)
  expect(isRetryable({ status: "queued", attempts })).toBe(true)
  expect(isRetryable({ status: "queued", attempts: [] })).toBe(false)
  expect(isRetryable({ status: "sent", attempts })).toBe(false)
})
