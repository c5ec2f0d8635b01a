import type { Database } from "./engine"
import { endTurn } from "./change-token"

/** The parts of a transaction, one after the other. Each can be undone alone. */
export type Parts = { begin(): void; keep(): void; undo(): void }

type Connection = Pick<Database, "query" | "inTransaction">

export function savepoints(db: Connection, name: string): Parts {
  const [begin, keep, undo] = [`SAVEPOINT ${name}`, `RELEASE ${name}`, `ROLLBACK TO ${name}`]
  return {
    begin: () => void db.query(begin).run(),
    keep: () => void db.query(keep).run(),
    undo() {
      db.query(undo).run()
      db.query(keep).run()
    },
  }
}

/**
 * The same without a savepoint until a part was kept: instead of undoing a part, the transaction begins again. SQLite keeps
 * a copy of every page that changes after a savepoint, and each statement with a savepoint of its own, as those of the
 * operations of a batch, walks over all copies when it ends. So a large batch took a third longer.
 */
export function partsFromBegin(db: Connection, begin: () => void): Parts {
  const later = savepoints(db, "one")
  let isFirst = true
  return {
    begin: () => void (isFirst || later.begin()),
    keep() {
      if (!isFirst) later.keep()
      isFirst = false
    },
    undo() {
      if (!isFirst) return later.undo()
      db.query("ROLLBACK").run()
      endTurn(db)
      begin()
    },
  }
}
