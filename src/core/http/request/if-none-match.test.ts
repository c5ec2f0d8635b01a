import { expect, test } from "bun:test"
import { growth } from "../../../../test/support/cpu"
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

test.each(['"', '"a', '"",', "W/"])("A header of many %p is read in linear time.", (part) => {
  expect(growth((size) => hasTag(part.repeat(size), '"3"'), 2_048, 16_384)).toBeLessThan(32)
})
