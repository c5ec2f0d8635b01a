const firstSize = 1024 * 1024

/** Keeps many texts in one piece of memory. As strings, short ones take several times as much. */
export function textStore() {
  let bytes = Buffer.allocUnsafe(firstSize)
  let ends = new Uint32Array(firstSize / 16)
  let count = 0
  const endOf = (index: number): number => (index < 0 ? 0 : (ends[index] ?? 0))
  return {
    get length(): number {
      return count
    },
    add(text: string): void {
      const start = endOf(count - 1)
      const size = Buffer.byteLength(text)
      if (start + size > bytes.length) bytes = Buffer.concat([bytes], 2 * (start + size))
      if (count === ends.length) {
        const longer = new Uint32Array(2 * count)
        longer.set(ends)
        ends = longer
      }
      bytes.write(text, start)
      ends[count++] = start + size
    },
    /** The text with an index; empty when there is none. */
    get: (index: number): string =>
      index >= 0 && index < count ? bytes.toString("utf8", endOf(index - 1), endOf(index)) : "",
  }
}

export type TextStore = ReturnType<typeof textStore>
