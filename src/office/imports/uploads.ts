import type { Database } from "../../core/engine/engine"
import { isOnlyServer } from "../../core/engine/lock"
import type { Tx, Writer } from "../../core/write/writer"
import { business } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { firstIdOf, newId } from "../../core/lib/id"
import { Refusal } from "../../core/lib/refusal"
import type { Job } from "../jobs/model"
import { receive, usualPatience } from "./receive"
import { deletePiece, findUnusedUploads } from "./store"

export const importPrefix = "imp"
/** In milliseconds. An upload that began before has ended, also if its last write had to wait. */
const longestUpload = 2 * usualPatience.whole
/** The number of files that a server receives from one user at a time. */
const mostOfUser = 4
/** In seconds. */
const retryAfter = 10

/** An upload: the user who sends it, and how its pieces are written. */
type Sent = { request: Request; user: string; write: (work: (tx: Tx) => void) => Promise<void> }

/** The files of imports, in the database until the imports have ended. */
export function uploadStore({ db, writer }: { db: Database; writer: Writer }) {
  /** The files that are being received, which have no job yet, and their users. */
  const receiving = new Map<string, string>()

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
     * this id. It counts for its user until then, so that nobody can fill the disk with files that are never complete.
     */
    async store(
      { request, user, write }: Sent,
      begin: (id: string, sha256: string) => Promise<Job>,
    ): Promise<Job> {
      assertFew(receiving, user)
      const id = newId(importPrefix, business.now())
      receiving.set(id, user)
      let begun: Job | null = null
      try {
        begun = await begin(id, await receive({ db, write }, request, id))
        return begun
      } finally {
        const isUsed = begun?.id === id
        void (isUsed ? Promise.resolve() : remove(id)).catch(() => {}).finally(() => receiving.delete(id))
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

/** Refuses another upload of a user who sends several. */
function assertFew(receiving: ReadonlyMap<string, string>, user: string): void {
  const mine = receiving.values().filter((each) => each === user)
  if ([...mine].length >= mostOfUser)
    throw new Refusal(
      "RATE_LIMIT_EXCEEDED",
      `You are sending ${mostOfUser} files already. Send the next one when one of them has arrived.`,
      { params: { retryAfter }, headers: { "retry-after": String(retryAfter) } },
    )
}
