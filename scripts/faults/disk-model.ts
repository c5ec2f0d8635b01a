import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Random } from "./random"
import type { Event } from "./recording"

/** What a power failure can do to writes that were not synced. */
export const cutEffects = ["dropped", "kept", "some", "torn", "mixed"] as const
export type CutEffect = (typeof cutEffects)[number]

/** A disk writes a sector completely or not at all. */
const sector = 512

type Change = { offset: number; data: Buffer } | { length: number }
type File = { durable: Buffer; size: number; pending: Change[] }
type NameChange = (names: Map<string, File>) => void

/**
 * A disk with minimal guarantees: written data is durable when its file has been synced, a name when its folder has
 * been synced. `before` is the initial content. Events are applied in order, and at any moment `cut` writes what a
 * power failure could leave.
 */
export function diskModel(before: ReadonlyMap<string, Buffer> = new Map()) {
  const now = new Map<string, File>()
  for (const [name, bytes] of before)
    now.set(name, { durable: Buffer.from(bytes), size: bytes.length, pending: [] })
  let durable = new Map(now)
  let nameChanges: NameChange[] = []

  const changeNames = (change: NameChange) => {
    change(now)
    nameChanges.push(change)
  }
  const fileAt = (name: string): File => {
    const known = now.get(name)
    if (known) return known
    const file: File = { durable: Buffer.alloc(0), size: 0, pending: [] }
    changeNames((names) => void names.set(name, file))
    return file
  }

  function applyEvent(event: Event): void {
    switch (event.kind) {
      case "write":
        fileAt(event.name).pending.push({ offset: event.offset, data: event.data })
        break
      case "truncate":
        fileAt(event.name).pending.push({ length: event.length })
        break
      case "sync": {
        const file = fileAt(event.name)
        for (const change of file.pending) apply(file, change)
        file.pending = []
        break
      }
      case "remove":
        changeNames((names) => void names.delete(event.name))
        break
      case "rename":
        changeNames((names) => {
          const file = names.get(event.name)
          names.delete(event.name)
          if (file) names.set(event.to, file)
        })
        break
      case "sync folder":
        durable = new Map(now)
        nameChanges = []
        break
      case "answer":
    }
  }

  /** Writes what a power failure could leave at this moment into an empty folder. */
  function cut(folder: string, effect: CutEffect, random: Random): void {
    mkdirSync(folder, { recursive: true })
    const names = new Map(durable)
    for (const each of nameChanges)
      if (effect === "kept" || (effect !== "dropped" && random.chance(0.5))) each(names)
    for (const [name, file] of names) {
      const left = { durable: Buffer.from(file.durable), size: file.size, pending: [] }
      for (const change of remainingChanges(file.pending, effect, random)) apply(left, change)
      writeFileSync(join(folder, name), left.durable.subarray(0, left.size), { mode: 0o600 })
    }
  }

  return { applyEvent, cut }
}

function remainingChanges(pending: readonly Change[], effect: CutEffect, random: Random): Change[] {
  if (effect === "dropped") return []
  if (effect === "kept") return [...pending]
  const likelihood = random.next()
  if (effect === "some") return pending.filter(() => random.chance(likelihood))
  const sectors = pending.flatMap(sectorsOf).filter(() => random.chance(likelihood))
  return effect === "torn" ? sectors : random.shuffled(sectors)
}

function sectorsOf(change: Change): Change[] {
  if (!("data" in change)) return [change]
  const parts: Change[] = []
  for (let at = 0; at < change.data.length;) {
    const end = Math.min(change.data.length, at + sector - ((change.offset + at) % sector))
    parts.push({ offset: change.offset + at, data: change.data.subarray(at, end) })
    at = end
  }
  return parts
}

/** The buffer grows by doubling. The bytes after `size` are zero, as in a file that is extended. */
function apply(file: File, change: Change): void {
  if ("length" in change) {
    if (change.length < file.size) file.durable.fill(0, change.length, file.size)
    grow(file, change.length)
    file.size = change.length
    return
  }
  const end = change.offset + change.data.length
  grow(file, end)
  change.data.copy(file.durable, change.offset)
  file.size = Math.max(file.size, end)
}

function grow(file: File, length: number): void {
  if (length <= file.durable.length) return
  const larger = Buffer.alloc(Math.max(length, file.durable.length * 2))
  file.durable.copy(larger, 0, 0, file.size)
  file.durable = larger
}
