import { expect, test } from "bun:test"
import { hasTag } from "./if-none-match"

test.each([
  ['"3"', true],
  ['W/"3"', true],
  ['"1", "2","3"', true],
  ['"a,b" , W/"3"', true],
  ["*", true],
  [" * ", true],
  ['"3.1"', false],
  ['"33"', false],
  ['"1", "2"', false],
  ["3", false],
  ["", false],
  ['"3', false],
  ['"*"', false],
])('If-None-Match %p contains "3": %p', (header, isContained) => {
  expect(hasTag(header, '"3"')).toBe(isContained)
})

test("The longest header is read in linear time.", () => {
  const began = performance.now()
  for (const part of ['"', '"a', '"",', "W/"]) hasTag(part.repeat(16_384), '"3"')
  expect(performance.now() - began).toBeLessThan(500)
})
