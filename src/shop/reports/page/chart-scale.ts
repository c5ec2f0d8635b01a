/** The values at the lines of a chart: 0 and round steps of 1, 2 or 5, so that about five lines enclose all values. */
export function ticksOf(values: readonly number[]): number[] {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  if (low === high) return [0]
  const rough = (high - low) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10)
  const first = Math.floor(low / step)
  const count = Math.ceil(high / step) - first
  return Array.from({ length: count + 1 }, (_, i) => (first + i) * step)
}

/** Every how many columns a label fits. */
export const stepOfLabels = (labels: readonly string[], columnWidth: number): number =>
  Math.max(1, Math.ceil(widthOf(labels) / columnWidth))

/** The width of the longest label in px, with space beside it. A character has at most 8 px. */
export const widthOf = (labels: readonly string[]): number =>
  Math.max(0, ...labels.map((label) => label.length)) * 8 + 8
