import { Type } from "@sinclair/typebox"
import { callerOf } from "../../core/http/request/call"
import { assertMay } from "../../core/caller"
import { dryRunHeader } from "../../core/http/request/dry-run"
import { ok } from "../../core/http/answer/envelope"
import { assertSameRequest, fingerprintOf, readIdempotencyKey } from "../../core/http/request/idempotency"
import { action, get, handled, type Parameter, type Route, type RouteCall } from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import type { Tx } from "../../core/write/writer"
import { readParams } from "../../core/kind/query"
import { mostImportBytes } from "../../shared/suggestions"
import { jobRight } from "../../shared/rights"
import { jobCallerOf } from "../jobs/model"
import type { JobService } from "../jobs/service"
import { dateOrders, decimalSigns, encodings } from "../sheets/model"
import { faultsRoute } from "./faults-route"
import { importKindOf } from "./kind"
import { importModes, importSchema, inputOf } from "./model"
import { delimiterNames, readBoolean, readImportQuery } from "./query"
import { importKind, shown, type ImportService } from "./service"

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
      parameters: [query("dryRun", Type.Boolean(), "`false` leaves dry runs out, `true` lists only these.")],
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
    (tx, { caller, params }) => shown(deps.jobs.cancel(tx, importKind, params.id ?? "", caller), []),
  ),
]

const createRoute = (deps: Deps): Route =>
  handled(
    "POST",
    path,
    {
      may,
      id: "createImport",
      tag: "imports",
      summary: "Import a file",
      description: `The body is a CSV file (at most 32 MB and 100,000 rows) or an XLSX file (at most 8 MB and 20,000 rows). The first row has the titles of the columns; titles that are names or labels of fields are recognized, and \`mapping\` names others. The whole file is checked first, and nothing is written if a row is wrong, unless \`skipInvalid\` is true. Then the rows are written in the background: \`GET /imports/{id}\` tells how far it is. An empty cell leaves a field as it is. A repeated request with the same Idempotency-Key returns the first import. A user may send 4 files at a time and have 10 unfinished imports (429); 20 imports of all users may be unfinished (503). An upload that is silent for a minute or takes longer than an hour is refused.`,
      parameters: parametersOf(Object.keys(deps.imports.kinds)),
      readsQuery: true,
      takesIdempotencyKey: true,
      upload: {
        types: ["text/csv", xlsxType, "application/octet-stream"],
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
  return ok(shown(job, []))
}

const choice = (values: readonly string[]) => Type.Unsafe<string>({ type: "string", enum: [...values] })

const query = (name: string, schema: Parameter["schema"], description: string): Parameter => ({
  name,
  in: "query",
  schema,
  description,
})

const parametersOf = (kinds: readonly string[]): Parameter[] => [
  {
    ...query("kind", { ...choice(kinds), examples: kinds.slice(0, 1) }, "What to import."),
    required: true,
  },
  query("mode", choice(importModes), "`create` adds records, `update` changes them, `upsert` does either."),
  query("skipInvalid", Type.Boolean(), "Import the other rows if some are wrong."),
  {
    ...query(
      "mapping",
      Type.String(),
      "The columns of fields: `itemCode:Artikelnummer,itemName:Bezeichnung`. A field without a column is left out.",
    ),
    example: "itemCode:Artikelnummer,itemName:Bezeichnung",
  },
  query("encoding", choice(encodings), "Recognized by default, as are the next three."),
  query("delimiter", choice(delimiterNames), "Between the cells of a CSV file."),
  query("decimal", choice(decimalSigns), "The decimal sign of numbers."),
  query(
    "dateOrder",
    choice(dateOrders),
    "The order of day, month and year. If no date of the file tells it, a date that can be read in several ways is a fault.",
  ),
  query("fileName", Type.String({ maxLength: 200 }), "A name to show."),
]
