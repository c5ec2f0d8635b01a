import { dlopen, FFIType, JSCallback, type Pointer } from "bun:ffi"
import { Unusable } from "../../../lib/refusal"
import { NulInText } from "./errors"

const { i32, u32, ptr, cstring, void: nothing } = FFIType

/** The functions of libpq 14 and later that Kontor uses. Texts that the server sends never contain NUL characters. */
const functions = {
  PQlibVersion: { args: [], returns: i32 },
  PQconndefaults: { args: [], returns: ptr },
  PQconninfoParse: { args: [ptr, ptr], returns: ptr },
  PQconninfoFree: { args: [ptr], returns: nothing },
  PQconnectdbParams: { args: [ptr, ptr, i32], returns: ptr },
  PQpingParams: { args: [ptr, ptr, i32], returns: i32 },
  PQsetNoticeProcessor: { args: [ptr, ptr, ptr], returns: ptr },
  PQfinish: { args: [ptr], returns: nothing },
  PQstatus: { args: [ptr], returns: i32 },
  PQsocket: { args: [ptr], returns: i32 },
  PQbackendPID: { args: [ptr], returns: i32 },
  PQserverVersion: { args: [ptr], returns: i32 },
  PQtransactionStatus: { args: [ptr], returns: i32 },
  PQerrorMessage: { args: [ptr], returns: cstring },
  PQsendQuery: { args: [ptr, ptr], returns: i32 },
  PQenterPipelineMode: { args: [ptr], returns: i32 },
  PQexitPipelineMode: { args: [ptr], returns: i32 },
  PQpipelineSync: { args: [ptr], returns: i32 },
  PQsendPrepare: { args: [ptr, ptr, ptr, i32, ptr], returns: i32 },
  PQsendQueryPrepared: { args: [ptr, ptr, i32, ptr, ptr, ptr, i32], returns: i32 },
  PQisBusy: { args: [ptr], returns: i32 },
  PQgetResult: { args: [ptr], returns: ptr },
  PQresultStatus: { args: [ptr], returns: i32 },
  PQresultErrorField: { args: [ptr, i32], returns: ptr },
  PQresultErrorMessage: { args: [ptr], returns: cstring },
  PQcmdTuples: { args: [ptr], returns: cstring },
  PQcmdStatus: { args: [ptr], returns: cstring },
  PQntuples: { args: [ptr], returns: i32 },
  PQnfields: { args: [ptr], returns: i32 },
  PQfname: { args: [ptr, i32], returns: cstring },
  PQftype: { args: [ptr, i32], returns: u32 },
  PQgetvalue: { args: [ptr, i32, i32], returns: cstring },
  PQgetisnull: { args: [ptr, i32, i32], returns: i32 },
  PQclear: { args: [ptr], returns: nothing },
  PQconsumeInput: { args: [ptr], returns: i32 },
  PQnotifies: { args: [ptr], returns: ptr },
  PQfreemem: { args: [ptr], returns: nothing },
} as const

const load = (path: string) => dlopen(path, functions).symbols

/** A connection or a result of libpq. */
export type Handle = Pointer | bigint

export type Libpq = ReturnType<typeof load>

const libraries: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ["libpq.so.5"],
  darwin: [
    "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
    "/usr/local/opt/libpq/lib/libpq.5.dylib",
    "/Applications/Postgres.app/Contents/Versions/latest/lib/libpq.5.dylib",
    "libpq.5.dylib",
  ],
  win32: ["libpq.dll"],
}

const advice: Partial<Record<NodeJS.Platform, string>> = {
  linux: "On Debian: apt-get install libpq5.",
  darwin: "With Homebrew: brew install libpq.",
  win32: "Install PostgreSQL, and add its folder bin to PATH.",
}

let loaded: Libpq | null = null

/** Loads libpq once, when the first PostgreSQL database is opened. */
export function libpq(): Libpq {
  loaded ??= loadFirst(libraries[process.platform] ?? [])
  return loaded
}

/** Loads the first of these libraries that is there and is new enough. */
export function loadFirst(paths: readonly string[]): Libpq {
  let isOld = false
  for (const path of paths) {
    try {
      return load(path)
    } catch (error) {
      isOld ||= String(error).includes("Symbol")
    }
  }
  throw new Unusable(
    isOld
      ? "PostgreSQL's client library libpq is too old. Kontor needs version 14 or later."
      : `PostgreSQL's client library libpq is missing. ${advice[process.platform] ?? ""}`.trim(),
  )
}

let ignore: JSCallback | null = null

/** Ignores the messages of a server that are not answers. By default, libpq would print them. */
export function ignoreNotices(pq: Libpq, connection: Handle): void {
  ignore ??= new JSCallback(() => {}, { args: [ptr, ptr], returns: nothing })
  pq.PQsetNoticeProcessor(connection, ignore.ptr, null)
}

export function cText(text: string): Buffer {
  if (text.includes("\0")) throw new NulInText()
  return Buffer.from(`${text}\0`)
}
