import type { Database } from "../../core/engine/engine"
import { valueOf, valuesOf } from "../../core/engine/sql"

/** A file of a new message: a kept form of a paper, or a paper of its own. */
export type NewFile = {
  name: string
  /** The kept form; null for a paper of its own. */
  form: string | null
  /** The content of a paper of its own, as JSON and gzip. */
  paper: Uint8Array | null
  /** The hash and the length of a file that exists already. */
  sha256: string | null
  bytes: number | null
}

/** A file of a message as it is stored. */
export type StoredFile = {
  position: number
  form: string | null
  paper: Uint8Array | null
  bytes: Uint8Array | null
}

export function insertWork(
  db: Database,
  message: string,
  isAutomatic: boolean,
  files: readonly NewFile[],
): void {
  db.query("INSERT INTO message_work (message, is_automatic) VALUES (?, ?)").run(message, isAutomatic ? 1 : 0)
  files.forEach(({ form, paper }, position) =>
    db
      .query("INSERT INTO message_files (message, position, form, paper) VALUES (?, ?, ?, ?)")
      .run(message, position, form, paper),
  )
}

export const findFiles = (db: Database, message: string): StoredFile[] =>
  db
    .query<StoredFile, [string]>(
      "SELECT position, form, paper, bytes FROM message_files WHERE message = ? ORDER BY position",
    )
    .all(message)

/** Stores the bytes of a file in place of what it is made of. */
export function saveFile(db: Database, message: string, position: number, bytes: Uint8Array): void {
  db.query("UPDATE message_files SET bytes = ?, paper = NULL WHERE message = ? AND position = ?").run(
    bytes,
    message,
    position,
  )
}

/** The files that were made for messages, one at a time. */
export const allFiles = (
  db: Database,
): IterableIterator<{ message: string; position: number; bytes: Uint8Array }> =>
  db
    .query<{ message: string; position: number; bytes: Uint8Array }, []>(
      "SELECT message, position, bytes FROM message_files WHERE bytes IS NOT NULL ORDER BY message, position",
    )
    .iterate()

/** The files of all messages with what they name, and the hash of the kept paper, one at a time. */
export const allStoredFiles = (db: Database) =>
  db
    .query<
      {
        message: string
        position: number
        attachments: string
        bytes: Uint8Array | null
        kept: string | null
      },
      []
    >(
      `SELECT files.message, position, attachments, files.bytes, papers.sha256 AS kept FROM message_files AS files
       JOIN messages ON messages.id = files.message
       LEFT JOIN papers ON papers.document = messages.record AND papers.form = files.form
       ORDER BY files.message, position`,
    )
    .iterate()

/** What the sender knows of a message. */
export type Work = {
  tries: number
  interruptions: number
  /** The attempt that runs. */
  attempt: string | null
  isEnding: boolean
  isAutomatic: boolean
}

export function findWork(db: Database, message: string): Work | null {
  const row = db
    .query<Omit<Work, "isEnding" | "isAutomatic"> & { isEnding: number; isAutomatic: number }, [string]>(
      `SELECT tries, interruptions, attempt, is_ending AS isEnding, is_automatic AS isAutomatic
       FROM message_work WHERE message = ?`,
    )
    .get(message)
  return row && { ...row, isEnding: row.isEnding === 1, isAutomatic: row.isAutomatic === 1 }
}

export function saveWork(
  db: Database,
  message: string,
  { tries, interruptions, attempt, isEnding }: Omit<Work, "isAutomatic">,
): void {
  db.query(
    "UPDATE message_work SET tries = ?, interruptions = ?, attempt = ?, is_ending = ? WHERE message = ?",
  ).run(tries, interruptions, attempt, isEnding ? 1 : 0, message)
}

/**
 * Notes that the last byte of a message is sent now. Returns false when the attempt is not the one that runs any more:
 * another server has taken over.
 */
export const markEnding = (db: Database, message: string, attempt: string): boolean =>
  db
    .query(
      `UPDATE message_work SET is_ending = 1 WHERE message = ? AND attempt = ? AND EXISTS (
         SELECT 1 FROM messages WHERE messages.id = message_work.message AND status = 'sending')`,
    )
    .run(message, attempt).changes > 0

/** Returns the message that has been due for the longest time. Mail to users, such as a lost password, is first. */
export const findDue = (db: Database, now: string, first: string): string | null =>
  valueOf(
    db,
    `SELECT id FROM messages WHERE next_attempt_at <= ? AND kind = ? ORDER BY next_attempt_at, seq LIMIT 1`,
    now,
    first,
  ) ??
  valueOf(db, "SELECT id FROM messages WHERE next_attempt_at <= ? ORDER BY next_attempt_at, seq LIMIT 1", now)

/** Returns the time when the next message is due; null if none waits. */
export const findNextDue = (db: Database): string | null =>
  valueOf(db, "SELECT min(next_attempt_at) FROM messages WHERE next_attempt_at IS NOT NULL")

/** Returns the messages that were being sent when a server ended. */
export const findInterrupted = (db: Database): string[] =>
  valuesOf(db, "SELECT id FROM messages WHERE status = 'sending' ORDER BY seq")

/** Returns the messages that wait. */
export const findQueued = (db: Database, most: number): string[] =>
  valuesOf(db, `SELECT id FROM messages WHERE status = 'queued' ORDER BY created_at, id LIMIT ${most}`)

export const countQueued = (db: Database, most: number): number =>
  valueOf(
    db,
    `SELECT count(*) FROM (SELECT 1 FROM messages WHERE next_attempt_at IS NOT NULL LIMIT ${most}) AS few`,
  ) ?? 0

/** Counts the messages since a time that have ended in a way. */
export const countEnded = (db: Database, status: string, since: string, most: number): number =>
  valueOf(
    db,
    `SELECT count(*) FROM (SELECT 1 FROM messages WHERE status = ? AND created_at >= ? LIMIT ${most}) AS few`,
    status,
    since,
  ) ?? 0

export const hasMessages = (db: Database): boolean =>
  db.query("SELECT 1 FROM messages LIMIT 1").get() !== null

/** Notes that a message is handed to the server. Times before the last minute no longer matter. */
export function noteTime(db: Database, at: string, before: string): void {
  db.query("DELETE FROM message_times WHERE at <= ?").run(before)
  db.query("INSERT INTO message_times (at) VALUES (?)").run(at)
}

/** Returns when the message was handed over with which the last `count` begin; null if there were fewer. */
export const findTime = (db: Database, count: number): string | null =>
  valueOf(db, "SELECT at FROM message_times ORDER BY at DESC LIMIT 1 OFFSET ?", count - 1)
