import { cText } from "./libpq"
import type { Field } from "./rows"

/** A statement that the server has prepared under a name, if it is known there. */
export type Prepared = {
  sql: string
  id: string
  name: Buffer
  isKnown: boolean
  fields: Field[] | null
  usedAt: number
}

/** Prepared statements take memory on the server. */
const most = 500

/** The prepared statements of a connection, by their SQL. The least recently used one is closed when there are too many. */
export function statementNames(limit = most) {
  const known = new Map<string, Prepared>()
  let closed: string[] = []
  let lastId = 0
  let clock = 0

  function closeOldest(): void {
    let oldest: Prepared | null = null
    for (const each of known.values()) if (!oldest || each.usedAt < oldest.usedAt) oldest = each
    if (!oldest) return
    known.delete(oldest.sql)
    if (oldest.isKnown) closed.push(oldest.id)
  }

  return {
    of(sql: string): Prepared {
      let prepared = known.get(sql)
      if (!prepared) {
        if (known.size >= limit) closeOldest()
        const id = `s${++lastId}`
        prepared = { sql, id, name: cText(id), isKnown: false, fields: null, usedAt: 0 }
        known.set(sql, prepared)
      }
      prepared.usedAt = ++clock
      return prepared
    },

    /** Prepares the statement again at its next use, under a new name. */
    forget(prepared: Prepared): void {
      if (known.get(prepared.sql) === prepared) known.delete(prepared.sql)
    },

    /** Prepares all statements again. Something else has told the server to forget them. */
    forgetAll(): void {
      known.clear()
      closed = []
    },

    /** The names that the server should forget. */
    takeClosed(): string[] {
      const names = closed
      closed = []
      return names
    },
  }
}
