import { readSync, writeSync } from "node:fs"
import { Unusable } from "../../../lib/unusable"
import { withDescriptor } from "../files"
import { clearUnused, type Layout, type Notes } from "./page"

type Copy = { descriptor: number; layout: Layout; notes: Notes }

/**
 * Overwrites what `clearUnused` could not know while the file was copied: the pages that came from the log, the free
 * pages, and the ends of chains. No connection has the copy open.
 */
export function clearRest(file: string, layout: Layout, notes: Notes, inLog: Set<number>): void {
  withDescriptor(file, "r+", (descriptor) => {
    const copy = { descriptor, layout, notes }
    const head = read(copy, 1)
    const pages = head.readUInt32BE(28)
    resize(notes, pages)
    const free = freePages(copy, { pages, first: head.readUInt32BE(32), count: head.readUInt32BE(36) })
    for (const page of inLog)
      if (page <= pages && !free.has(page)) {
        const bytes = read(copy, page)
        clearUnused(bytes, page, layout, notes)
        write(copy, page, bytes)
      }
    const isUsed = (page: number) => page !== 0 && page <= pages && !free.has(page)
    assertUnused(free, notes, isUsed)
    clearFree(copy, free)
    clearEnds(copy, isUsed)
  })
}

/** The log may have added pages to the file, or removed pages from its end. */
function resize(notes: Notes, pages: number): void {
  for (const name of ["next", "usedBy"] as const) {
    const resized = new Int32Array(pages + 1)
    resized.set(notes[name].subarray(0, pages + 1))
    notes[name] = resized
  }
}

type FreeList = { pages: number; first: number; count: number }

/** Returns the free pages, with the number of bytes at the begin of each that SQLite uses for its list of them. */
function freePages(copy: Copy, { pages, first, count }: FreeList): Map<number, number> {
  const free = new Map<number, number>()
  const add = (page: number, used: number) => {
    if (page < 2 || page > pages || free.has(page)) throw damaged(`the list of free pages has page ${page}`)
    free.set(page, used)
  }
  for (let trunk = first; trunk !== 0;) {
    const bytes = read(copy, trunk)
    const leaves = bytes.readUInt32BE(4)
    if (8 + 4 * leaves > copy.layout.usable)
      throw damaged(`the list of free pages is too long at page ${trunk}`)
    add(trunk, 8 + 4 * leaves)
    for (let i = 0; i < leaves; i++) add(bytes.readUInt32BE(8 + 4 * i), 0)
    trunk = bytes.readUInt32BE(0)
  }
  if (free.size !== count) throw damaged(`${count} pages should be free, but ${free.size} are`)
  return free
}

/** A free page that is in use would lose its rows. */
function assertUnused(
  free: Map<number, number>,
  { usedBy, next }: Notes,
  isUsed: (page: number) => boolean,
): void {
  const refuse = (page: number, user: number) => {
    throw damaged(`page ${page} is free, but page ${user} uses it`)
  }
  for (const page of free.keys()) if (isUsed(usedBy[page] ?? 0)) refuse(page, usedBy[page] ?? 0)
  next.forEach((after, page) => {
    if (after !== 0 && free.has(after) && isUsed(page)) refuse(after, page)
  })
}

function clearFree(copy: Copy, free: Map<number, number>): void {
  const zeros = Buffer.alloc(copy.layout.pageSize)
  for (const [page, used] of free) write(copy, page, zeros.subarray(used), used)
}

/** Overwrites what is behind the end of a row in the last page of its chain. */
function clearEnds(copy: Copy, isUsed: (page: number) => boolean): void {
  const { notes, layout } = copy
  const perPage = layout.usable - 4
  const zeros = Buffer.alloc(perPage)
  for (let i = 0; i < notes.chains.length; i += 3) {
    const [owner = 0, first = 0, length = 0] = notes.chains.slice(i, i + 3)
    if (!isUsed(owner)) continue
    let page = first
    let rest = length
    for (; rest > perPage; rest -= perPage) page = notes.next[page] ?? 0
    if (!isUsed(page) || notes.next[page] !== 0) throw damaged(`a row in page ${owner} is not complete`)
    if (rest < perPage) write(copy, page, zeros.subarray(rest), 4 + rest)
  }
}

const damaged = (what: string): Unusable => new Unusable(`The database is damaged: ${what}.`)

function read({ descriptor, layout: { pageSize } }: Copy, page: number): Buffer {
  const bytes = Buffer.alloc(pageSize)
  readSync(descriptor, bytes, 0, pageSize, (page - 1) * pageSize)
  return bytes
}

function write({ descriptor, layout: { pageSize } }: Copy, page: number, bytes: Buffer, from = 0): void {
  writeSync(descriptor, bytes, 0, bytes.length, (page - 1) * pageSize + from)
}
