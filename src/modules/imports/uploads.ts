import type { Database } from "../../db/engine"
import { isOnlyServer } from "../../db/lock"
import type { Tx, Writer } from "../../db/writer"
import { business } from "../../lib/clock"
import { later } from "../../shared/dates"
import { firstIdOf, newId } from "../../lib/id"
import type { Job } from "../jobs/model"
import { receive } from "./receive"
import { deletePiece, findUnusedUploads } from "./store"

export const importPrefix = "imp"
/** In milliseconds. An upload that has taken longer has ended. */
const longestUpload = 24 * 3_600_000

/** The files of imports, in the database until the imports have ended. */
export function uploadStore({ db, writer }: { db: Database; writer: Writer }) {
  /** The files that are being received, which have no job yet. */
  const receiving = new Set<string>()

  /** Deletes a file piece by piece, with other writes in between. */
  const remove = async (id: string): Promise<void> => {
    while (await writer(() => deletePiece(db, id))) continue
  }
  /** The same without waiting. What is left after a failure is deleted later. */
  const forget = (id: string): void => void remove(id).catch(() => {})

  return {
    forget,

    /**
     * Stores a file, and calls `begin` with its id when it is complete. The file is deleted unless that starts a job with
     * this id.
     */
    async store(
      request: Request,
      write: (work: (tx: Tx) => void) => Promise<void>,
      now: string,
      begin: (id: string, sha256: string) => Promise<Job>,
    ): Promise<Job> {
      const id = newId(importPrefix, now)
      receiving.add(id)
      let begun: Job | null = null
      try {
        begun = await begin(id, await receive({ db, write }, request, id))
        return begun
      } finally {
        receiving.delete(id)
        if (begun?.id !== id) forget(id)
      }
    },

    /**
     * Deletes files that no import needs, after a crash or a failed upload. Another server that shares the database may
     * still be receiving a new one. One that starts now cannot have begun with those that were found.
     */
    async deleteUnused(): Promise<void> {
      const found = findUnusedUploads(db).filter((id) => !receiving.has(id))
      if (found.length === 0) return
      const ended = firstIdOf(importPrefix, later(business.now(), -longestUpload))
      const isAlone = isOnlyServer(db)
      for (const id of found) if (isAlone || id < ended) await remove(id)
    },
  }
}
