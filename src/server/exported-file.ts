import type { Database } from "../core/engine/engine"
import { kinds } from "../kinds"
import { archiveOf, type ArchivedKind } from "../office/exports/archive"
import { batchesOf, listFile, type Pieces } from "../office/exports/exporter"
import type { Exportable, ExportJob } from "../office/exports/model"
import { allFiles } from "../office/mail/store"
import type { ShownRecord } from "../office/sheets/write/records"
import type { Resource } from "../core/kind/define"
import { listedIds } from "../core/store/pages/listed-ids"
import type { Selection } from "../core/store/plan"
import type { Services } from "../services"

type ListedKey = Exclude<keyof typeof kinds, "settings">

/** Returns the file of an export, which is read from the database while it is written. */
export function exportedFile(db: Database, services: Services, job: ExportJob): Pieces {
  if (job.type === "archive") return archiveOf(everything(db, services), job)
  const { key, kind } = listedKind(job.kind)
  return listFile(
    recordsOf(db, services, key, job.selection),
    kind.name,
    job.written,
    (services as Record<ListedKey, Exportable>)[key].inTable ?? ((records) => [...records]),
  )
}

function recordsOf(db: Database, services: Services, key: ListedKey, selection: Selection) {
  const records: Record<ListedKey, Exportable> = services
  const ids = listedIds(db, kinds[key], selection, services.settings.moneyContext())
  return batchesOf(ids, records[key].findMany)
}

function listedKind(name: string): { key: ListedKey; kind: Resource } {
  const found = Object.entries(kinds).find(([, kind]) => kind.name === name)
  if (!found || found[0] === "settings") throw new Error(`There is no list of ${name}.`)
  return { key: found[0] as ListedKey, kind: found[1] }
}

const all: Selection = { where: [], match: undefined, sort: [{ field: "createdAt", order: "asc" }] }

/** Everything that the database has, except secrets and sessions. */
function* everything(db: Database, services: Services): Generator<ArchivedKind, undefined> {
  const { settings, logos, papers } = services
  yield { kind: "settings", batches: single([settings.show()]) }
  for (const key of Object.keys(kinds) as (keyof typeof kinds)[])
    if (key !== "settings") yield { kind: kinds[key].name, batches: recordsOf(db, services, key, all) }
  yield { kind: "logos", batches: single(logos.all()) }
  yield { kind: "papers", batches: single(papers.all()) }
  yield { kind: "message-files", batches: single(allFiles(db)) }
  return undefined
}

/** Records one by one, with their bytes as Base64. */
async function* single(records: Iterable<ShownRecord>): AsyncGenerator<ShownRecord[], undefined> {
  for (const { bytes, ...record } of records)
    yield [
      bytes instanceof Uint8Array ? { ...record, content: Buffer.from(bytes).toString("base64") } : record,
    ]
  return undefined
}
