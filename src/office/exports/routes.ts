import { Type } from "@sinclair/typebox"
import { callerOf, type Connection } from "../../core/http/request/call"
import { pluralOf, type Money } from "../../core/http/route/kind-routes"
import { proseDeprecated } from "../../core/http/answer/list-answer"
import { get, handled, type Route, type RouteCall } from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import { business } from "../../core/lib/clock"
import { Refusal } from "../../core/lib/refusal"
import type { Resource } from "../../core/kind/define"
import type { SearchFeed } from "../../core/search/search-feed"
import type { Exporter } from "./exporter"
import { contentTypeOf, mediaTypes, type Exportable, type ExportJob } from "./model"
import { exportParameters } from "./parameters"
import { readExport } from "./query"

type Deps = {
  exporter: Exporter
  money: Money
  keepOpen: Connection["keepOpen"]
  feed: SearchFeed
  writes: Writes
}

/** GET /{kind}/export: all records of a list as a file. */
export const exportRoute = (kind: Resource, records: Exportable, deps: Deps): Route =>
  get(
    `/${kind.name}/export`,
    {
      may: kind.rights.read,
      id: `export${pluralOf(kind.title)}`,
      tag: kind.name,
      summary: `Export ${pluralOf(kind.noun)} as a file`,
      description:
        "All records that the list has with these filters, also with operators, at one moment, streamed. The titles of a table are names of fields, unless `titles` sets a language, and `address.city` is a part of an object. Text that a spreadsheet would take for a formula has `'` in front. NDJSON has the records as the list returns them. The connection of a file that is not complete is reset.",
      parameters: exportParameters(kind),
      answer: {
        status: 200,
        description: "The file.",
        type: mediaTypes.csv,
        otherTypes: [mediaTypes.xlsx, mediaTypes.ndjson],
        schema: Type.String({ format: "binary" }),
      },
      refuses: [422],
    },
    (context) => exportList(context, kind, records, deps),
  )

async function exportList(context: RouteCall, kind: Resource, { within }: Exportable, deps: Deps) {
  const { call, set } = context
  const moneyContext = deps.money()
  const { selection, written, isDeprecated } = readExport(kind, call.query, moneyContext)
  if (isDeprecated) set.headers["deprecation"] = proseDeprecated
  const own = within?.(callerOf(call)) ?? []
  const where = [...own, ...selection.where]
  const job = { type: "list", kind: kind.name, selection: { ...selection, where }, written } as const
  if (selection.match !== undefined) await deps.feed.settle()
  const name = `${kind.name}-${moneyContext.today}.${written.format}`
  // With another role, the caller may read other records of the list.
  const assertSame = () => {
    if (!Bun.deepEquals(within?.(callerOf(call)) ?? [], own))
      throw new Refusal("FORBIDDEN", "The rights of the caller have changed.")
  }
  return streamed(context, deps, { job, name, type: contentTypeOf(written.format), assertSame })
}

type File = { job: ExportJob; name: string; type: string; assertSame?: () => void }

async function streamed(
  { call, request, set }: RouteCall,
  { exporter, keepOpen, writes }: Pick<Deps, "exporter" | "keepOpen" | "writes">,
  { job, name, type, assertSame = () => {} }: File,
) {
  Object.assign(set.headers, {
    "content-type": type,
    "content-disposition": `attachment; filename="${name}"`,
  })
  if (request.method === "HEAD") return new Response()
  keepOpen(request, 0)
  const assertStillMay = () => {
    writes.assertStillMay(call)
    assertSame()
  }
  // Without a timeout, a client that does not read the end would keep its connection for ever.
  const client = { signal: call.signal(), assertStillMay, onLast: call.keepOpen }
  return new Response(await exporter.start(callerOf(call).userId, client, job))
}

type ArchiveDeps = Pick<Deps, "exporter" | "keepOpen" | "writes"> & { version: string }

/** GET /export.zip: everything, for an admin who signed in. */
export const archiveRoute = (deps: ArchiveDeps): Route =>
  handled(
    "GET",
    "/export.zip",
    {
      may: { area: "administration", scope: "admin", personal: true },
      id: "exportEverything",
      tag: "backups",
      summary: "Export all data",
      description:
        "All records of all kinds at one moment as NDJSON, the stored PDFs and e-invoices, and `manifest.json`, which names each file with its number of records and its SHA-256. Secrets and sessions are not in it. For an admin who signed in.",
      answer: {
        status: 200,
        description: "The archive.",
        type: "application/zip",
        schema: Type.String({ format: "binary" }),
      },
    },
    async (context) => {
      const createdAt = business.now()
      if (context.request.method !== "HEAD")
        await deps.writes.runWrite(context.call, (tx) => tx.audit("exports.create", null))
      return streamed(context, deps, {
        job: { type: "archive", version: deps.version, createdAt },
        name: `kontor-${createdAt.slice(0, 10)}.zip`,
        type: "application/zip",
      })
    },
  )
