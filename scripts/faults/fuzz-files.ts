// What must be true for the files of documents.
import type { Answer } from "./fuzz-responses"

/** The path of a file that never changes, because its document was issued. */
const isFile = (path: string): boolean => /\/(invoices|credit-notes)\/\w+\/(pdf|xml)(\?|$)/.test(path)

/** Checks that a file has the hash of its bytes as ETag, and that it is always the same one. */
export function fuzzFiles() {
  const known = new Map<string, string>()
  return {
    problemsOf(path: string, { status, headers, bytes }: Answer): string[] {
      const etag = headers.get("etag")
      if (!isFile(path) || etag === null || (status !== 200 && status !== 304)) return []
      const problems: string[] = []
      if (status === 200 && etag !== `"${Bun.SHA256.hash(bytes, "hex")}"`)
        problems.push("the ETag is not the hash of the file")
      const before = known.get(path)
      if (before !== undefined && before !== etag) problems.push("the file has changed")
      known.set(path, etag)
      return problems
    },
  }
}
