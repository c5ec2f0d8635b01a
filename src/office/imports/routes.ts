import { Type } from "@sinclair/typebox"
import { stringify } from "csv-stringify/sync"
import { callerOf } from "../../core/http/request/call"
import { assertMay } from "../../core/caller"
import { dryRunHeader } from "../../core/http/request/dry-run"
import { ok } from "../../core/http/answer/envelope"
import { assertSameRequest, fingerprintOf, readIdempotencyKey } from "../../core/http/request/idempotency"
import {
  action,
  get,
  handled,
  post,
  type Parameter,
  type Route,
  type RouteCall,
} from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import type { Tx } from "../../core/write/writer"
import { query } from "../../core/http/openapi/parameters"
import { readParams } from "../../core/kind/query"
import { mostImportBytes } from "../../shared/suggestions"
import { jobRight } from "../../shared/rights"
import { jobCallerOf, type JobFault, jobSchema, shownJob } from "../jobs/model"
import type { JobService } from "../jobs/service"
import { dateOrders, decimalSigns, encodings } from "../sheets/model"
import { importKindOf } from "./kind"
import { choice, duplicateChoices, importModes, importSchema, inputOf } from "./model"
import { delimiterNames, readBoolean, readImportQuery, readChoice, readDelimiter } from "./query"
import { importKind, noFindings, shown, type ImportService } from "./service"
import { writtenInSteps } from "../../core/http/answer/large-answer"
import { escapeCsv } from "../../shared/sheet-escape"
import { contentTypeOf, mediaTypes } from "../exports/model"
import { needsQuotes } from "../sheets/write/csv"

type Deps = { imports: ImportService; jobs: JobService; writes: Writes; secret: string }

/** The right to import. The kind that is imported needs its own right too. */
const may = jobRight

const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
const path = "/imports"
const names = { id: "import" }

/** What a response that shows an import says about it. */
const answerOf = ({ imports }: Deps) => ({
  description: "The import.",
  schema: importSchema(Object.keys(imports.kinds)),
})

/** Imports of files, as jobs. */
export const importRoutes = (deps: Deps): Route[] => [
  get(
    path,
    {
      may,
      id: "listImports",
      tag: "imports",
      summary: "List the newest imports",
      description:
        "The 50 newest of the caller, or of all users for an admin, without their faults and without what was recognized in their files: `format` is null, and `columns` and `firstRows` are empty. An import is deleted 30 days after its end.",
      parameters: () => [
        query("dryRun", "`false` leaves dry runs out, `true` lists only these.", Type.Boolean()),
      ],
      answer: { status: 200, description: "The imports.", schema: Type.Array(answerOf(deps).schema) },
    },
    async ({ call }) => {
      const params = readParams(call.query, ["dryRun"])
      const dryRun = params.has("dryRun") ? readBoolean(params, "dryRun") : undefined
      return ok(await deps.imports.newest(deps.jobs, callerOf(call), { dryRun, signal: call.signal() }))
    },
  ),
  createRoute(deps),
  get(
    `${path}/:id`,
    {
      may,
      id: "getImport",
      tag: "imports",
      summary: "Get one import",
      description:
        "How far it has come, what was recognized in the file, and its first 1,000 faults. Only the user who started it and admins see it.",
      names,
      answer: { ...answerOf(deps), status: 200 },
      refuses: [404],
    },
    ({ call, params }) => {
      readParams(call.query)
      return ok(deps.imports.get(deps.jobs, params.id ?? "", callerOf(call)))
    },
  ),
  faultsRoute(deps.jobs, deps.writes),
  action(
    `${path}/:id/cancel`,
    {
      may,
      id: "cancelImport",
      tag: "imports",
      summary: "Cancel an import",
      description: "Stops an import that has not ended. Records that it has written stay.",
      names,
      takesIfMatch: false,
      answer: { ...answerOf(deps), status: 200 },
      refuses: [404, 422],
    },
    (tx, { caller, params }) => deps.imports.cancel(tx, deps.jobs, params.id ?? "", caller),
  ),
  undoRoute(deps),
]

const undoRoute = ({ imports, jobs }: Deps): Route =>
  post(
    `${path}/:id/undo`,
    {
      may,
      id: "undoImport",
      tag: "imports",
      summary: "Undo an import",
      description:
        "Takes back what an import has written that has ended, in the background: `GET /jobs/{id}` tells how far it is. Records that it created are deleted, and those that it updated get their old values again. A record that was changed or used after the import stays as it is, and is a fault of the job; what stays can be undone by another request. The caller needs the rights to write and to delete the records. Stock counts cannot be undone.",
      names,
      takesIdempotencyKey: true,
      answer: {
        status: 202,
        description: "The job that undoes the import.",
        schema: jobSchema,
        headers: ["Location"],
      },
      refuses: [404, 422],
    },
    (tx, { caller, params, call }) => {
      const id = params.id ?? ""
      const job = imports.undo(tx, jobs, { id, viewer: caller, caller: jobCallerOf(call) })
      return { status: 202, headers: { location: `/api/v1/jobs/${job.id}` }, data: shownJob(job, []) }
    },
  )

const createRoute = (deps: Deps): Route =>
  handled(
    "POST",
    path,
    {
      may,
      id: "createImport",
      tag: "imports",
      summary: "Import a file",
      description: `The body is a CSV file (at most 32 MB and 100,000 rows), an XLSX file (at most 8 MB and 20,000 rows), or NDJSON (as CSV; at most 1,000,000 characters per line): one JSON object per line with the names of fields, as an export has them, also with objects such as \`address\`. The row with the titles of the columns is recognized, usually the first one; titles that are names or labels of fields are recognized, and \`mapping\` names others. The whole file is checked first, and nothing is written if a row is wrong, unless \`skipInvalid\` is true. Then the rows are written in the background: \`GET /imports/{id}\` tells how far it is. An empty cell, and null, leaves a field as it is. A repeated request with the same Idempotency-Key returns the first import. A user may send 4 files at a time and have 10 unfinished imports (429); 20 imports of all users may be unfinished (503). An upload that is silent for a minute or takes longer than an hour is refused.`,
      parameters: () => parametersOf(Object.keys(deps.imports.kinds)),
      readsQuery: true,
      takesIdempotencyKey: true,
      upload: {
        types: ["text/csv", xlsxType, mediaTypes.ndjson, "application/octet-stream"],
        mostBytes: mostImportBytes.csv,
        check: () => {},
        isStreamed: true,
      },
      answer: { ...answerOf(deps), status: 202, headers: ["Location"] },
      refuses: [422],
    },
    (context) => create(deps, context),
  )

async function create({ imports, jobs, writes, secret }: Deps, { call, request, set }: RouteCall) {
  const query = readImportQuery(call.query, imports.kinds)
  const { subject, userId: user } = callerOf(call)
  const { right } = importKindOf(imports.kinds, query.kind)
  assertMay(call.caller, right)
  if (query.duplicates !== "create") assertMay(call.caller, { ...right, scope: "read" })
  jobs.assertRoom(importKind, user)
  const key = readIdempotencyKey(request)
  const uniqueKey = key === null ? null : `${subject} ${key}`
  call.keepOpen()
  const write = (work: (tx: Tx) => void) => writes.runInRead(call, work)
  const job = await imports.store({ request, user, write }, async (id, sha256) => {
    const fingerprint = await fingerprintOf(secret, call, { sha256 })
    return writes.runInRead(call, (tx) => {
      writes.assertStillMay(call, right)
      const known = uniqueKey === null ? null : jobs.findByKey(uniqueKey)
      if (known) {
        assertSameRequest(inputOf(known.input), fingerprint)
        return known
      }
      const input = { ...query, fingerprint }
      return imports.begin(tx, jobs, { id, caller: jobCallerOf(call), input, uniqueKey })
    })
  })
  set.status = 202
  set.headers["location"] = `/api/v1${path}/${job.id}`
  if (query.dryRun) Object.assign(set.headers, dryRunHeader)
  return ok(shown(job, noFindings))
}

const parametersOf = (kinds: readonly string[]): Parameter[] => [
  {
    ...query("kind", "What to import.", { ...choice(kinds), examples: kinds.slice(0, 1) }),
    required: true,
  },
  query("mode", "`create` adds records, `update` changes them, `upsert` does either.", choice(importModes)),
  query(
    "duplicates",
    "What becomes of a row to create that is a customer which exists, by its number or external ID, or else by its name together with its email address or tax ID: `create` creates it all the same, `skip` leaves the customer unchanged, `update` updates it. Only for customers with the mode `create`; `skip` and `update` need the right to read customers.",
    choice(duplicateChoices),
  ),
  query("skipInvalid", "Import the other rows if some are wrong.", Type.Boolean()),
  {
    ...query(
      "mapping",
      "The columns of fields: `itemCode:Artikelnummer,itemName:Bezeichnung`. A field without a column is left out.",
      Type.String(),
    ),
    example: "itemCode:Artikelnummer,itemName:Bezeichnung",
  },
  query("encoding", "Recognized by default, as are the next three.", choice(encodings)),
  query("delimiter", "Between the cells of a CSV file.", choice(delimiterNames)),
  query("decimal", "The decimal sign of numbers.", choice(decimalSigns)),
  query(
    "dateOrder",
    "The order of day, month and year. If no date of the file tells it, a date that can be read in several ways is a fault.",
    choice(dateOrders),
  ),
  query(
    "headingRow",
    "The number of the row that has the titles of the columns. Recognized by default.",
    Type.Integer({ minimum: 1, maximum: 1_000 }),
  ),
  query(
    "skipTotals",
    "`false` imports rows of sums at the end of the file, such as `Total`. By default they are left out and listed in `skippedRows`.",
    Type.Boolean(),
  ),
  {
    ...query(
      "prices",
      "Whether the prices of fields include tax: `sellingPrice:gross,costPrice:net`. By default the title of the column says it, or they are as the shop stores them. Others are converted with the tax rate of their row.",
      Type.String(),
    ),
    example: "sellingPrice:gross",
  },
  query("fileName", "A name to show.", Type.String({ maxLength: 200 })),
]

const formats = ["csv", "ndjson"] as const

const faultsRoute = (jobs: JobService, writes: Writes): Route =>
  get(
    "/imports/:id/faults",
    {
      may: jobRight,
      id: "getImportFaults",
      tag: "imports",
      summary: "Download all faults of an import",
      description:
        "`csv` is for people. `ndjson` has the fields that the import has too, with `code` and `params`, for a client that shows faults in another language.",
      names: { id: "import" },
      parameters: () => [
        { name: "format", in: "query", schema: choice(formats) },
        { name: "delimiter", in: "query", schema: choice(delimiterNames) },
      ],
      answer: {
        status: 200,
        description: "A CSV file, or one JSON object per line (`application/x-ndjson`).",
        type: mediaTypes.csv,
        otherTypes: [mediaTypes.ndjson],
        schema: Type.String(),
      },
      refuses: [404],
    },
    ({ call, params, set }) => {
      const query = readParams(call.query, ["format", "delimiter"])
      const format = readChoice(query, "format", formats) ?? "csv"
      const delimiter = readDelimiter(query) ?? ","
      const job = jobs.get(importKind, params.id ?? "", callerOf(call))
      const faults = checkedEach(jobs.eachFaults(job.id), () => writes.assertStillMay(call))
      Object.assign(set.headers, {
        "content-type": contentTypeOf(format),
        "content-disposition": `attachment; filename="${job.id}-faults.${format}"`,
      })
      const text = format === "csv" ? csvOf(faults, delimiter) : ndjsonOf(faults)
      call.keepOpen()
      return new Response(writtenInSteps(text, call))
    },
  )

/** Checks the right of the caller again before each part. */
function* checkedEach<T>(parts: Iterable<T>, assertStillMay: () => void): Generator<T, undefined> {
  for (const part of parts) {
    assertStillMay()
    yield part
  }
  return undefined
}

const columns = ["row", "column", "field", "message"] as const

/** The text of a CSV file. It begins with a byte order mark, by which Excel recognizes UTF-8. */
function* csvOf(faults: Iterable<JobFault[]>, delimiter: string): Generator<string, undefined> {
  const line = (rows: unknown[][]) =>
    stringify(rows, { delimiter, record_delimiter: "windows", quoted_match: needsQuotes })
  yield `\uFEFF${line([[...columns]])}`
  for (const some of faults)
    yield line(
      some.map((fault) =>
        columns.map((name) => {
          const value = fault[name]
          return typeof value === "string" ? escapeCsv(value) : value
        }),
      ),
    )
  return undefined
}

function* ndjsonOf(faults: Iterable<JobFault[]>): Generator<string, undefined> {
  for (const some of faults) yield some.map((fault) => `${JSON.stringify(fault)}\n`).join("")
  return undefined
}
