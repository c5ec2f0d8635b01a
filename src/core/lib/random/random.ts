/** What random bytes are for: IDs of records, secrets, and IDs of requests. */
export type RandomUse = "ids" | "secrets" | "requests"

type Source = (length: number) => Uint8Array<ArrayBuffer>

const fromSystem: Source = (length) => crypto.getRandomValues(new Uint8Array(length))

const sources = new Map<RandomUse, Source>()

/** Returns random bytes. In a demo with a seed they are the same at every start. */
export const randomBytes = (use: RandomUse, length: number): Uint8Array<ArrayBuffer> =>
  (sources.get(use) ?? fromSystem)(length)

/** True if a seed decides on the random bytes of a use. */
export const isSeeded = (use: RandomUse): boolean => sources.has(use)

/** Derives the bytes of some uses from a text, and those of the others from the system. Null ends that. */
export function seedRandom(seed: string | null, uses: readonly RandomUse[] = []): void {
  sources.clear()
  for (const use of uses) if (seed !== null) sources.set(use, seeded(`${seed} ${use}`))
}

/** Whoever knows the seed knows all bytes. */
function seeded(seed: string): Source {
  let count = 0
  let rest = new Uint8Array(0)
  return (length) => {
    const bytes = new Uint8Array(length)
    for (let filled = 0; filled < length;) {
      if (rest.length === 0)
        rest = new Uint8Array(Bun.SHA256.hash(`${seed} ${count++}`).buffer as ArrayBuffer)
      const part = rest.subarray(0, length - filled)
      bytes.set(part, filled)
      rest = rest.subarray(part.length)
      filled += part.length
    }
    return bytes
  }
}
