import { Type } from "@sinclair/typebox"
import { stringify } from "csv-stringify/sync"
import { callerOf } from "../../core/http/request/call"
import { writtenInSteps } from "../../core/http/answer/large-answer"
import { get, type Route } from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import { readParams } from "../../core/kind/query"
import { escapeCsv } from "../../shared/sheet-escape"
import { contentTypeOf, mediaTypes } from "../exports/model"
import type { JobFault } from "../jobs/model"
import type { JobService } from "../jobs/service"
import { needsQuotes } from "../sheets/write/csv"
import { delimiterNames, readChoice, readDelimiter } from "./query"
import { importKind } from "./service"
import { jobRight } from "../../shared/rights"

const formats = ["csv", "ndjson"] as const

const choice = (values: readonly string[]) => Type.Unsafe<string>({ type: "string", enum: [...values] })

/** All faults of an import as a file. */
export const faultsRoute = (jobs: JobService, writes: Writes): Route =>
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
      parameters: [
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
