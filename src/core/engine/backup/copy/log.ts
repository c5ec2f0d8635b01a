import { existsSync, readSync, rmSync, statSync } from "node:fs"
import { copyDescriptor, withDescriptor } from "../files"

const headLength = 32
const frameHeadLength = 24

/**
 * Copies the write-ahead log of a database, and returns the numbers of the pages in it. The caller holds a read
 * transaction. There are two cases:
 *
 * - The transaction reads the log. Then nobody can restart the log, and checkpoints write only pages to the file that
 *   are in the copy of the log. So the copy of the file with the copy of the log is the state of the transaction, or a
 *   later one: SQLite ignores an incomplete end of a log.
 * - The log was empty or completely written to the file, and the transaction reads only the file. Then no checkpoint can
 *   write to the file, but a writer can restart the log once. A copy with pages from before and from after that would
 *   bring old pages back, so it is made again. A log that was restarted has only later transactions.
 */
export function copyLog(from: string, to: string, pageSize: number): Set<number> {
  for (;;) {
    const before = headOf(from)
    if (before.length < headLength) return new Set()
    rmSync(to, { force: true })
    copyFile(from, to)
    if (headOf(from).equals(before)) return pagesOf(to, pageSize)
    rmSync(to)
  }
}

function headOf(log: string): Buffer {
  if (!existsSync(log)) return Buffer.alloc(0)
  return withDescriptor(log, "r", (descriptor) => {
    const head = Buffer.alloc(headLength)
    return head.subarray(0, readSync(descriptor, head, 0, headLength, 0))
  })
}

const copyFile = (from: string, to: string): void =>
  withDescriptor(from, "r", (input) => withDescriptor(to, "wx", (output) => copyDescriptor(input, output)))

/** The pages of all frames, also of those that SQLite will ignore. */
function pagesOf(log: string, pageSize: number): Set<number> {
  return withDescriptor(log, "r", (descriptor) => {
    const pages = new Set<number>()
    const { size } = statSync(log)
    const number = Buffer.alloc(4)
    for (let at = headLength; at + frameHeadLength + pageSize <= size; at += frameHeadLength + pageSize) {
      readSync(descriptor, number, 0, 4, at)
      pages.add(number.readUInt32BE(0))
    }
    return pages
  })
}
