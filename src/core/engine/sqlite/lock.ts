import { FFIType } from "bun:ffi"
import { accessSync, constants, realpathSync } from "node:fs"
import { steadyMillis } from "../../lib/clock"
import { libc } from "../../lib/libc"
import { Unusable } from "../../lib/unusable"
import { openAlone } from "../../lib/windows"
import { keptDescriptor } from "../backup/descriptor"
import { postgresOf, type Database } from "../engine"
import type { PostgresDatabase } from "../postgres/driver/database"

/** LOCK_EX | LOCK_NB, and LOCK_UN. */
const exclusiveNonBlocking = 2 | 4
const unlock = 8
const held = new Set<string>()

/** The key of the lock that the servers of a PostgreSQL database share. Who changes the tables has it alone. */
export const serversLock = 0x4b4e5453

/** In milliseconds: how long a server waits for another one that is creating or upgrading the tables. */
const [patience, pause] = [5_000, 50]

/** Locks an open database for this process alone, until it exits or the database is closed. */
export function holdDatabase(db: Database, file: string): void {
  const postgres = postgresOf(db)
  if (!postgres) return holdFile(file)
  if (!postgres.lock(serversLock)) throw inUse(postgres)
}

/**
 * Locks an open database for a server, and runs `prepare` before others can use it, unless it `isReady`. Servers share a
 * PostgreSQL database. The tables are not changed while other servers use them.
 */
export async function holdForServer(
  db: Database,
  file: string,
  { isReady, prepare }: { isReady: () => boolean; prepare: () => Promise<void> },
): Promise<void> {
  const postgres = postgresOf(db)
  if (!postgres) {
    holdFile(file)
    return isReady() ? undefined : prepare()
  }
  for (const began = steadyMillis(); steadyMillis() - began < patience; await Bun.sleep(pause)) {
    // The second look is for a newer server, which may have upgraded the tables before the lock was taken.
    if (isReady() && postgres.share(serversLock) && isReady()) return
    if (isReady() || !postgres.lock(serversLock)) continue
    await prepare()
    // Taken before the other one is released, so that nothing comes between.
    postgres.share(serversLock)
    return postgres.unlock(serversLock)
  }
  throw inUse(postgres)
}

/** True if no other server uses the database. A file has only one. */
export function isOnlyServer(db: Database): boolean {
  const postgres = postgresOf(db)
  if (!postgres) return true
  const found = postgres
    .query<{ n: number }, [number]>(
      `SELECT count(DISTINCT pid) AS n FROM pg_locks WHERE locktype = 'advisory' AND objid::bigint = ?
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    .get(serversLock)
  return (found?.n ?? 0) <= 1
}

const inUse = ({ filename }: PostgresDatabase) =>
  new Unusable(
    `Another Kontor process is using ${filename}. Stop it first, or choose another database with --db.`,
  )

/**
 * Locks an existing file for this process until it exits. Throws if another process has locked it. The system releases
 * the lock however the process ends, nothing is left on the disk, and SQLite's own locks do not conflict with it.
 */
export function holdFile(file: string): void {
  if (file === ":memory:" || held.has(file) || !canRead(file)) return
  if (!(process.platform === "win32" ? holdLockFile(file) : holdFileItself(file)))
    throw new Unusable(
      `Another Kontor process is using ${file}. Stop it first, or choose another file with --db.`,
    )
  held.add(file)
}

/** Releases the lock of `holdFile` when a server stops before its process. On Windows it stays until the process exits. */
export function releaseFile(file: string): void {
  if (process.platform === "win32" || !held.delete(file)) return
  flock(file, unlock)
}

/** The lock is an flock on the database file itself. */
const holdFileItself = (file: string): boolean => flock(file, exclusiveNonBlocking)

function flock(file: string, operation: number): boolean {
  const system = libc({ flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } })
  return !system || system.flock(keptDescriptor(file), operation) === 0
}

/**
 * On Windows, a lock on the database file would keep SQLite from reading it. So the lock is a file next to it, which is
 * open for one process only and which the system deletes when that process ends.
 */
const holdLockFile = (file: string): boolean => openAlone(`${realpathSync(file)}-lock`)

/** A file that cannot be read is not locked; opening it later reports the reason. */
function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
