import { expect, test } from "bun:test"
import { nextSliceSize } from "./store"

/** Returns the sizes of the slices of a search, whose time depends on their size. */
function sizesOf(rows: number, timeOf: (size: number) => number): number[] {
  const sizes: number[] = []
  let size = 20_000
  let before: { size: number; took: number } | null = null
  for (let left = rows; left > 0; left -= size) {
    sizes.push(size)
    const slice = { size, took: timeOf(size) }
    const next = nextSliceSize(before, slice)
    before = slice
    left += next - size
    size = next
  }
  return sizes
}

test("a search that takes as long for any number of rows has few slices, also on a slow machine", () => {
  for (const time of [0.1, 3, 8, 30, 100]) expect(sizesOf(10_000_000, () => time).length).toBeLessThan(10)
})

test("a search that takes time for each row keeps its slices short", () => {
  const sizes = sizesOf(2_000_000, (size) => size / 2_000)
  expect(Math.max(...sizes)).toBe(80_000)
  expect(sizes.filter((size) => size > 20_000)).toHaveLength(1)
})
