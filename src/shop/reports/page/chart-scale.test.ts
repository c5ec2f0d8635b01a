import { expect, test } from "bun:test"
import { stepOfLabels, ticksOf } from "./chart-scale"

test.each<[number[], number[]]>([
  [[], [0]],
  [[0, 0], [0]],
  [
    [79_000, 12_000],
    [0, 20_000, 40_000, 60_000, 80_000],
  ],
  [[80_001], [0, 50_000, 100_000]],
  [[3_000], [0, 1_000, 2_000, 3_000]],
  [[0.8], [0, 0.2, 0.4, 0.6, 0.8]],
  [
    [90, -30],
    [-50, 0, 50, 100],
  ],
])("The lines of a chart of %j are at %j", (values, ticks) => {
  const found = ticksOf(values)
  expect(found).toHaveLength(ticks.length)
  for (const [i, tick] of ticks.entries()) expect(found[i]).toBeCloseTo(tick, 9)
})

test("A narrow chart has a label only at every second or third column", () => {
  const labels = ["Jan 26", "Feb 26", "Mar 26"]
  expect(stepOfLabels(labels, 60)).toBe(1)
  expect(stepOfLabels(labels, 40)).toBe(2)
  expect(stepOfLabels(labels, 20)).toBe(3)
})
