import { expect, test } from "bun:test"
import { growth } from "../../../../test/support/cpu"
import { acceptsCoding } from "./transfer"

test.each([
  ["gzip", true],
  ["GZIP", true],
  ["x-gzip", true],
  ["gzip, deflate, br, zstd", true],
  ["deflate, gzip;q=1.0, *;q=0.5", true],
  ["br;q=1, gzip ; q=0.2", true],
  ["gzip;q=0.001", true],
  ["*", true],
  ["*;q=0.3, identity;q=0.3", true],
  ["identity, gzip", true],
  ["", false],
  ["identity", false],
  ["br", false],
  ["gzipped", false],
  ["gzip;q=0", false],
  ["gzip;q=0.000, *", false],
  ["*;q=0", false],
  ["identity;q=1, gzip;q=0.5", false],
  ["identity, *;q=0.5", false],
  ["gzip;q=2", false],
  ["gzip;q=", false],
  ["gzip;level=9", false],
])("Accept-Encoding %p accepts gzip: %p", (header, isAccepted) => {
  expect(acceptsCoding(header, "gzip")).toBe(isAccepted)
})

test("A missing header accepts nothing.", () => {
  expect(acceptsCoding(null, "gzip")).toBeFalse()
})

test("A refusal of one coding does not affect another.", () => {
  expect(acceptsCoding("gzip, br;q=0", "br")).toBeFalse()
  expect(acceptsCoding("gzip;q=0, br", "br")).toBeTrue()
})

test.each([",", ";", " ", "gzip;q=0.", "gzip; q = "])(
  "A header of many %p is read in linear time.",
  (part) => {
    expect(growth((size) => acceptsCoding(part.repeat(size), "gzip"), 2_048, 16_384)).toBeLessThan(32)
  },
)
