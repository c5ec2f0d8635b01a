import type { Database } from "../../core/engine/engine"
import type { Changes } from "../../core/write/writer"
import { bytesOf, hashOf } from "./papers"
import { allLogos, allPapers, documentsWithoutValues, paperEntries, type PaperRow } from "./store"

/** Compares the kept forms of issued documents and their logos with their hashes, and these with the audit log. */
export function findPaperFaults(db: Database): string[] {
  const logged = new Map(
    paperEntries(db).flatMap(({ document, changes }) =>
      Object.entries(JSON.parse(changes) as Changes).map(([form, { to }]) => [`${document} ${form}`, to]),
    ),
  )
  const faults: string[] = []
  for (const paper of allPapers(db)) {
    const name = `${paper.document} ${paper.form}`
    const expected = logged.get(name)
    logged.delete(name)
    if (expected === undefined) faults.push(`The paper ${name} is not in the audit log.`)
    else if (readHash(paper) !== paper.sha256 || paper.sha256 !== expected)
      faults.push(`The paper ${name} was changed: its hash is not the one in the audit log.`)
  }
  return [
    ...faults,
    ...[...logged.keys()].map((name) => `The paper ${name} is missing.`),
    ...documentsWithoutValues(db).map((document) => `What ${document} printed at issue is missing.`),
    ...changedLogos(db).map((hash) => `The logo ${hash} was changed: it has another hash.`),
  ]
}

const changedLogos = (db: Database): string[] =>
  allLogos(db).flatMap(({ hash, bytes }) => (hashOf(bytes) === hash ? [] : [hash]))

/** Returns the hash of a stored form; null if it cannot be unpacked. */
function readHash(paper: PaperRow): string | null {
  try {
    return hashOf(bytesOf(paper))
  } catch {
    return null
  }
}
