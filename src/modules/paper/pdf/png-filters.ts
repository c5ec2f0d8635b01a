// The functions of this file run for each byte of an image of up to 128 MB, so they create no objects.

/**
 * Restores the bytes of rows. Each row starts with a byte that says how its bytes were predicted from those to the left
 * and above; the row has the differences. `step` is the distance to the pixel on the left.
 */
export function unfilterRows(
  data: Uint8Array,
  start: number,
  rows: number,
  rowBytes: number,
  step: number,
): void {
  if (start + rows * (rowBytes + 1) > data.length) throw new Error("The PNG has too few pixels.")
  for (let row = 0; row < rows; row++) {
    const at = start + row * (rowBytes + 1) + 1
    const end = at + rowBytes
    // The row above the first one is taken to be 0.
    const up = row === 0 ? null : rowBytes + 1
    const filter = data[at - 1] ?? 0
    if (filter > 4) throw new Error("The PNG has an unknown filter.")
    if (filter === 1) addLeft(data, at, end, step)
    if (filter === 2 && up !== null) addAbove(data, at, end, up)
    if (filter === 3) addMean(data, at, end, step, up)
    if (filter === 4) addNearest(data, at, end, step, up)
  }
}

function addLeft(data: Uint8Array, at: number, end: number, step: number): void {
  for (let i = at + step; i < end; i++) data[i] = (data[i] ?? 0) + (data[i - step] ?? 0)
}

function addAbove(data: Uint8Array, at: number, end: number, up: number): void {
  for (let i = at; i < end; i++) data[i] = (data[i] ?? 0) + (data[i - up] ?? 0)
}

function addMean(data: Uint8Array, at: number, end: number, step: number, up: number | null): void {
  for (let i = at; i < end; i++) {
    const left = i < at + step ? 0 : (data[i - step] ?? 0)
    const above = up === null ? 0 : (data[i - up] ?? 0)
    data[i] = (data[i] ?? 0) + ((left + above) >> 1)
  }
}

/** Adds the neighbour that is nearest to left + above − corner (Paeth). */
function addNearest(data: Uint8Array, at: number, end: number, step: number, up: number | null): void {
  for (let i = at; i < end; i++) {
    const isFirst = i < at + step
    const left = isFirst ? 0 : (data[i - step] ?? 0)
    const above = up === null ? 0 : (data[i - up] ?? 0)
    const corner = isFirst || up === null ? 0 : (data[i - step - up] ?? 0)
    const toLeft = Math.abs(above - corner)
    const toAbove = Math.abs(left - corner)
    const toCorner = Math.abs(left + above - 2 * corner)
    const other = toAbove <= toCorner ? above : corner
    data[i] = (data[i] ?? 0) + (toLeft <= toAbove && toLeft <= toCorner ? left : other)
  }
}
