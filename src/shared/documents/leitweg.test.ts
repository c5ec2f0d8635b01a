import { expect, test } from "bun:test"
import { missedLeitwegDigits } from "./leitweg"

test.each(["04011000-12345-03", "04011000-1234512345-06", "991-33333TEST-33", "991-33333test-33"])(
  "%s has its check digits",
  (id) => expect(missedLeitwegDigits(id)).toBeNull(),
)

test.each([
  ["04011000-1234512345-99", "06"],
  ["04011000-12345-30", "03"],
  ["991-33333TSET-33", "72"],
])("%s should end with %s", (id, expected) => expect(missedLeitwegDigits(id)).toBe(expected))

test.each(["", "4711", "2026-0815-12", "B-1", "04011000-03", "PO 04011000-12345-99", "17-ABC"])(
  "%p is another reference",
  (reference) => expect(missedLeitwegDigits(reference)).toBeNull(),
)
