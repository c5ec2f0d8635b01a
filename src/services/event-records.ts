import { kinds } from "../kinds"
import type { EventRecords, FindRecords } from "../modules/events/records"
import type { ImportService } from "../modules/imports/service"
import type { JobService } from "../modules/jobs/service"
import { isBusiness } from "../resource/define"

type KindKey = keyof typeof kinds

/** The kinds of the business, which have events. */
type BusinessKey = Exclude<
  KindKey,
  "users" | "apiKeys" | "oauthClients" | "webhooks" | "settings" | "auditLogs"
>

type Services = Record<BusinessKey, { findMany: FindRecords }> & { imports: ImportService; jobs: JobService }

/** How events find their records. */
export function recordsOfEvents(services: Services): EventRecords {
  const { imports, jobs } = services
  const findImports: FindRecords = async (ids, _, caller) =>
    ids.flatMap((id) => imports.find(jobs, id, caller) ?? [])
  const ofKinds = (Object.keys(kinds) as KindKey[])
    .filter((key): key is BusinessKey => isBusiness(kinds[key]))
    .map((key) => [kinds[key].name, services[key].findMany])
  return { ...Object.fromEntries(ofKinds), imports: findImports }
}
