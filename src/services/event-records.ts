import { kinds } from "../kinds"
import type { EventRecords, FindRecords } from "../office/events/records"
import { restsBetween } from "../core/lib/turns"
import type { Import } from "../office/imports/model"
import type { ImportService } from "../office/imports/service"
import type { JobService } from "../office/jobs/service"
import { isBusiness } from "../core/kind/define"

type KindKey = keyof typeof kinds

/** The kinds of the business, which have events. */
type BusinessKey = Exclude<
  KindKey,
  "users" | "apiKeys" | "oauthClients" | "webhooks" | "settings" | "auditLogs"
>

type Services = Record<BusinessKey, { findMany: FindRecords }> & { imports: ImportService; jobs: JobService }

/** In milliseconds. */
const longestStep = 4

/** How events find their records. */
export function recordsOfEvents(services: Services): EventRecords {
  const { imports, jobs } = services
  const findImports: FindRecords = async (ids, signal, caller) => {
    // What was recognized in a file can be large, so other requests run in between.
    const rest = restsBetween(longestStep, signal)
    const found: Import[] = []
    for (const id of ids) {
      const record = imports.find(jobs, id, caller)
      if (record) found.push(record)
      await rest()
    }
    return found
  }
  const ofKinds = (Object.keys(kinds) as KindKey[])
    .filter((key): key is BusinessKey => isBusiness(kinds[key]))
    .map((key) => [kinds[key].name, services[key].findMany])
  return { ...Object.fromEntries(ofKinds), imports: findImports }
}
