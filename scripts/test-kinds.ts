// How a test file runs: in the process of the tests or on the program, and on which engines.
import { readFileSync } from "node:fs"

const startsWithAny = (file: string, starts: readonly string[]) =>
  starts.some((start) => file.startsWith(start))

/**
 * Tests for which the program adds nothing, by the beginning of their path. Their servers run in the process of the tests,
 * and one process runs many files, because most of the time of a new process is spent on compiling.
 */
const inProcess = ["src/", "test/api/", "test/faults/attacks-", "test/"]

/** The files among them that need the program. */
const onProgram: Record<string, string> = {
  "test/cli/": "The commands.",
  "test/clients/": "The clients that the program prints.",
  "test/console/": "The console that is part of the program.",
  "test/packaging/": "The program as it is installed.",
  "test/postgres/": "Several servers, and servers that are stopped.",
  "test/guide": "The samples of the guide, which call the program.",
  "test/readme": "The help of the commands.",
  "test/faults/attacks-10": "The connections of a process.",
  "test/faults/c": "Crashes, and the cost of requests.",
  "test/faults/disk": "A disk that fails.",
  "test/faults/fuzz": "A server that restarts.",
  "test/faults/import-killed": "A server that is killed.",
  "test/faults/overload": "The memory of a server.",
  "test/faults/power-cut": "The files that a server writes.",
  "test/faults/races": "A server that is stopped.",
  "test/faults/recurring": "A server that is killed.",
  "test/faults/upgrade": "The start of a new version.",
  "test/api/export": "Each export starts a thread, which takes far longer from source.",
  "test/api/http": "URLs that are longer than Bun accepts without an option.",
  "test/api/idempotency": "It kills a server.",
  "test/api/import": "Each import starts a thread, which takes far longer from source.",
  "test/api/limits": "It kills a server.",
  "test/api/login-load": "Sign-ins beside other requests.",
  "test/api/matrix": "It starts threads for exports and imports.",
  "test/api/paper": "The thread that draws PDFs takes far longer to start from source.",
  "test/api/openapi": "Its samples start threads for exports, imports and PDFs.",
  "test/api/mail": "The thread that draws PDFs, certificates, and a server that is killed.",
  "test/api/opening": "Each import starts a thread, which takes far longer from source.",
  "test/api/oauth-races":
    "It holds the lock of the file, for which a server in the same process cannot wait.",
  "test/api/reprice-jobs": "It kills a server.",
  "test/api/round-trip": "It starts threads for exports and imports.",
  "test/api/search": "It kills a server.",
  "test/api/trailers": "Connections that the server closes.",
  "test/api/webhook-r": "It kills a server.",
  "test/api/webhook-tls": "Certificates, which Bun reads at its start.",
}

/** True if the servers of a test file run in the process of the tests. */
export const runsInProcess = (file: string): boolean =>
  startsWithAny(file, inProcess) && !startsWithAny(file, Object.keys(onProgram))

/** True if a test uses the browser. */
export const isPage = (file: string): boolean => file.startsWith("test/console/")

/**
 * The tests in the browser that `npm test` runs, by the beginning of their path: one of each kind of page and of each
 * concern. `npm run test:console` runs all of them, in their long form.
 */
const mainPages = ["dialogs", "documents", "pages", "scanner", "session", "set-up", "week"].map(
  (name) => `test/console/${name}`,
)

/** True if a test starts PostgreSQL servers of its own. `npm run test:postgres` runs them. */
export const startsPostgres = (file: string): boolean => file.startsWith("test/postgres/")

/**
 * The files that `npm test` leaves to `npm run test:postgres` and `test:long`, because they start many servers. CI runs
 * `test:postgres` too, so that each change is still tested by all of them.
 */
const leftToOthers: Record<string, string> = {
  "test/api/exports": "The formats of all exports; test/api/openapi-examples has one of each.",
  "test/api/export-streams": "Slow clients and kills during exports.",
  "test/api/round-trip": "Exports of whole shops that are imported into others.",
  "test/cli/backup-killed": "Kills during backups; test/cli/backup has the rest.",
  "test/cli/backup-s3": "Uploads to another program.",
  "test/api/job-callers": "Jobs of thousands of records that lose their rights; job-owners has the rest.",
  "test/api/large-lists": "Lists of tens of thousands of records; test/api/lists has the rest.",
  "test/api/login-load": "Sign-ins beside other requests; test/api/login-throttle has their limits.",
  "test/api/mail-restarts": "Kills while mail is sent.",
  "test/api/reprice-jobs": "Kills during jobs; import-killed has those of imports.",
  "test/api/scans-large": "Lists of hundreds of thousands of records; test/api/scans has the rest.",
  "test/api/search-feed": "Kills before search texts are written.",
  "test/api/search-ranking": "The ranking after random writes and a kill.",
  "test/api/unread-responses": "Clients that do not read what they asked for.",
  "test/api/webhook-restarts": "Kills while webhooks are sent.",
  "test/cli/nice": "Threads of a server of low priority.",
  "test/cli/sandbox.": "Whole demo shops that are compared; sandbox-recurring and demo have the rest.",
  "test/faults/cost": "The cost of the worst values of each operation.",
  "test/faults/disk": "Disks that fail under load.",
  "test/faults/import-killed": "Kills during imports; crash has those of requests.",
  "test/faults/overload": "Very many and slow connections.",
  "test/faults/power-cut": "Files as a power cut would leave them; crash has kills.",
  "test/faults/upgrade": "Kills during the start of a new version; test/cli/schema has the upgrade.",
  "test/faults/recurring-killed":
    "Kills while invoices are made; test/cli/sandbox-recurring has their dates.",
}

/** True if `npm test` leaves a file to `test:postgres`, which runs it on SQLite. */
export const isLeft = (file: string): boolean => startsWithAny(file, Object.keys(leftToOthers))

/** The files that only `test:long` runs, because they install other programs. */
const onlyLong = ["test/api/mail-postfix"]

/** True if `npm test` runs a file. */
export const isUsual = (file: string): boolean =>
  isPage(file)
    ? startsWithAny(file, mainPages)
    : !startsPostgres(file) && !isLeft(file) && !startsWithAny(file, onlyLong)

/** Tests that take longer than those of `npm run test:quick` may, some because they run commands from source. */
const slow = [
  "core/engine/backup/backg",
  "trade/paper/pdf",
  "office/sheets/read/xlsx/zip",
  "office/webhooks/sender",
]
  .map((name) => `src/${name}`)
  .concat("test/faults/", "test/api/api-keys", "test/api/audit", "test/api/auth", "test/api/events-")
  .concat("test/api/large-lists", "test/api/login", "test/api/model", "test/api/oauth", "test/api/reports")
  .concat(
    "test/api/scans",
    "test/api/transfer",
    "test/api/unread",
    "test/api/webhook",
    "test/api/wrong-clock",
  )

/** True if `npm run test:quick` runs a file. */
export const isQuick = (file: string): boolean => !startsWithAny(file, slow)

/** True if a test file has a longer form (`test/support/long.ts`). */
export const hasLongForm = (file: string): boolean => readFileSync(file, "utf8").includes('/long"')

/** The tests of the API and the fault tests run on both engines, by the beginning of their path. */
const onBoth = ["test/api/", "test/faults/"]

/** The files that test what only SQLite has: its file. */
const sqliteOnly: Record<string, string> = {
  "test/cli/sandbox.": "Whole demo shops that are compared; sandbox-recurring and demo have the rest.",
  "test/faults/cost": "Its shop is written as a file of SQLite.",
  "test/faults/disk": "A disk that fails is the concern of the PostgreSQL server.",
  "test/faults/power-cut": "It rebuilds the file of SQLite as a power cut would leave it.",
  "test/faults/upgrade": "It upgrades a file of SQLite.",
}

/**
 * The files that would test the same code again, because what they test does not depend on the database. `npm test` runs
 * them only on SQLite, to save time. `--postgres` runs them on PostgreSQL.
 */
const sameOnBoth: Record<string, string> = {
  "test/api/http": "HTTP: requests that are refused before the database is used.",
  "test/api/trailers": "HTTP: trailers.",
  "test/api/transfer": "HTTP: compression and ETags.",
  "test/api/webhook-tls": "HTTPS: certificates of receivers.",
  "test/api/webhook-guide": "The sample of the guide.",
  "test/api/openapi": "The text of the API document, and its samples, whose routes have tests of their own.",
  "test/api/import-f": "The formats of files, and the list of fields of an import.",
  "test/api/exports": "The formats of files. The snapshot that an export reads has its own tests.",
  "test/api/round-trip": "The formats of files.",
  "test/api/paper-hostile": "The drawing of texts in PDF and XML.",
  "test/api/oauth-libraries": "The protocol as libraries speak it. Its routes have tests of their own.",
  "test/faults/attacks-7-forgery": "Addresses in requests, which the server must not request.",
  "test/faults/attacks-8-configuration": "HTTP: origins, content types, paths and headers.",
  "test/faults/attacks-9-inventory": "HTTP: paths without a route.",
  "test/faults/attacks-10-consumption": "HTTP: the address of a client behind a proxy.",
  "test/faults/overload": "HTTP: very many and slow connections.",
  "test/api/login-load": "The time that passwords take to check.",
  "test/api/matrix": "Rights, which are checked before a record is read.",
}

/** True if a file can run on PostgreSQL. */
export const canUsePostgres = (file: string): boolean =>
  startsWithAny(file, onBoth) && !startsWithAny(file, [...Object.keys(sqliteOnly), ...onlyLong])

/** True if `npm test` runs a file on PostgreSQL too. */
export const runsTwice = (file: string): boolean =>
  canUsePostgres(file) && !startsWithAny(file, Object.keys(sameOnBoth))
