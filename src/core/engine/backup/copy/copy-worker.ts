// Copies the bytes of a database in a separate thread, while the thread that started it checks the tables.
import { ptr } from "bun:ffi"
import { readSync, writeSync } from "node:fs"
import { clearUnused, newNotes, type Layout, type Notes } from "./page"
import { messageOf } from "../../../lib/refusal"

declare const self: Worker

export type CopyOrder = {
  /** Descriptors of the database and of the copy. The thread that sends them closes them. */
  from: number
  to: number
  /** A descriptor of the copy that writes without the system's cache; null if there is none. */
  direct: number | null
  layout: Layout
  pages: number
  /** Pages that are also in the log. They may change while they are copied, and are replaced then. */
  inLog: Set<number>
  /** The copy stops when the first number is not 0. */
  stop: Int32Array
}
export type CopyAnswer = { notes: Notes } | { error: string; code: string }

const pieceLength = 4 << 20

/** Writes without the system's cache need a place in memory, and a length, that is a multiple of this. */
const alignment = 4096

self.onmessage = ({ data }: MessageEvent<CopyOrder>) => {
  try {
    const answer: CopyAnswer = { notes: copy(data) }
    self.postMessage(answer)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    const answer: CopyAnswer = { error: messageOf(error), code }
    self.postMessage(answer)
  }
}

function copy({ from, to, direct, layout, pages, inLog, stop }: CopyOrder): Notes {
  const notes = newNotes(pages)
  const { pageSize } = layout
  const piece = alignedBuffer()
  const write = writer(to, direct)
  for (let at = 0; Atomics.load(stop, 0) === 0;) {
    const length = fill(piece, from, at)
    if (length === 0) return notes
    for (let start = 0; start + pageSize <= length; start += pageSize) {
      const page = (at + start) / pageSize + 1
      if (!inLog.has(page)) clearUnused(piece.subarray(start, start + pageSize), page, layout, notes)
    }
    write(piece.subarray(0, length), at)
    at += length
  }
  throw new Error("The copy was stopped.")
}

function alignedBuffer(): Buffer {
  const larger = Buffer.allocUnsafeSlow(pieceLength + alignment)
  const from = alignment - (ptr(larger) % alignment)
  return larger.subarray(from, from + pieceLength)
}

/** Writes with `direct` as long as the file system allows it. */
function writer(to: number, direct: number | null): (piece: Buffer, at: number) => void {
  let isAllowed = true
  const writeWith = (descriptor: number, piece: Buffer, at: number): void => {
    for (let done = 0; done < piece.length;)
      done += writeSync(descriptor, piece, done, piece.length - done, at + done)
  }
  return (piece, at) => {
    if (direct === null || !isAllowed || piece.length % alignment !== 0) return writeWith(to, piece, at)
    try {
      writeWith(direct, piece, at)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EINVAL")) throw error
      isAllowed = false
      writeWith(to, piece, at)
    }
  }
}

/** Reads a piece. It is shorter only at the end of the file. */
function fill(piece: Buffer, from: number, at: number): number {
  let length = 0
  while (length < piece.length) {
    const read = readSync(from, piece, length, piece.length - length, at + length)
    if (read === 0) break
    length += read
  }
  return length
}
