import type { Database } from "../../core/engine/engine"
import type { Writer } from "../../core/write/writer"
import { setLastUse } from "./store"

/** Remembers when and from where each key was used. It is written periodically and not on each request. */
export function keyUsage(db: Database, writer: Writer) {
  let uses = new Map<string, { at: string; ip: string }>()
  return {
    /** Records a use. Only the first use in a millisecond is recorded, because finding the address takes time. */
    note(key: string, at: string, ip: () => string): void {
      if (uses.get(key)?.at !== at) uses.set(key, { at, ip: ip() })
    },
    latest: (key: string) => uses.get(key) ?? null,
    async flush(): Promise<void> {
      if (uses.size === 0) return
      const waiting = uses
      uses = new Map()
      try {
        await writer(() => {
          for (const [key, { at, ip }] of waiting) setLastUse(db, key, at, ip)
        })
      } catch (error) {
        uses = new Map([...waiting, ...uses])
        throw error
      }
    },
  }
}
