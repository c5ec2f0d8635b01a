import type { Database } from "../../core/engine/engine"
import { latestVersion } from "../../core/engine/schema/migrate"
import { clock } from "../../core/lib/clock"
import type { Histogram } from "../../core/lib/metrics/histogram"
import { counter, gauge, type Family } from "../../core/lib/metrics/text"
import type { WriteMeter } from "../../core/write/meter"
import type { BackupState } from "../../storage/names"
import { commit, version } from "../../version"
import type { JobService } from "../jobs/service"
import type { MailSending } from "../mail/sending"
import type { WebhookSending } from "../webhooks/sending"
import type { WebhookService } from "../webhooks/service"

/** What the server measures outside of the app. Times are in milliseconds. */
export type Watched = {
  writes: WriteMeter
  loop: Histogram
  requestsInFlight: () => number
  backups: () => BackupState[]
  /** When the certificate of the server expires; null if it serves plain http. */
  certificateUntil: () => number | null
}

type Deps = Watched & {
  db: Database
  requests: () => Family[]
  jobs: Pick<JobService, "counts">
  webhooks: Pick<WebhookService, "counts">
  webhookSending: Pick<WebhookSending, "status" | "waiting">
  mailSending: Pick<MailSending, "counts">
  webhookAttempts: Record<string, number>
}

/** All metrics. They are put together only when they are read: what counts are plain numbers. */
export function metricsService(deps: Deps) {
  const { writes, loop, requests, requestsInFlight } = deps
  const startedAt = clock.real() / 1_000 - process.uptime()
  return {
    families: (): Family[] => [
      ...requests(),
      gauge(
        "kontor_http_requests_in_flight",
        "Requests whose response has not ended, with open streams of events.",
        requestsInFlight(),
      ),
      ...writes.families(),
      {
        name: "kontor_event_loop_lag_seconds",
        help: "How late a timer ran, which is how long requests wait for others.",
        type: "histogram",
        values: [{ value: loop.read() }],
      },
      {
        name: "kontor_webhook_attempts",
        help: "Attempts to send events to webhooks, by outcome.",
        type: "counter",
        values: Object.entries(deps.webhookAttempts).map(([outcome, value]) => ({
          labels: { outcome },
          value,
        })),
      },
      ...databaseFamilies(deps),
      ...backupFamilies(deps),
      ...processFamilies(deps, startedAt),
    ],
  }
}

/** What has to be read from the database. Without it, the other metrics can still be read. */
function databaseFamilies({ db, jobs, webhooks, webhookSending, mailSending }: Deps): Family[] {
  const isUp = (value: number) => gauge("kontor_database_up", "1 if the database can be read, else 0.", value)
  try {
    const { bytes, walBytes } = db.engine.size()
    const wal = "The size of the write-ahead log of a database file."
    return [
      isUp(1),
      gauge("kontor_database_bytes", "The size of the database.", bytes),
      ...(walBytes === null ? [] : [gauge("kontor_wal_bytes", wal, walBytes)]),
      byState(
        "kontor_jobs",
        "Jobs by status; of those that ended, those of the last day.",
        "status",
        jobs.counts(),
      ),
      byState("kontor_webhooks", "Webhooks by state.", "state", webhooks.counts()),
      gauge(
        "kontor_webhook_deliveries_waiting",
        "Events that a webhook has not accepted yet and that are sent again.",
        webhookSending.waiting(),
      ),
      gauge(
        "kontor_webhooks_sending",
        "1 if events are sent to webhooks; 0 after a restore, or with --no-sending.",
        webhookSending.status().isSending ? 1 : 0,
      ),
      byState(
        "kontor_messages",
        "Messages by status; of those that are not waiting, those of the last day.",
        "status",
        mailSending.counts(),
      ),
    ]
  } catch {
    return [isUp(0)]
  }
}

const byState = (name: string, help: string, label: string, counts: Record<string, number>): Family => ({
  name,
  help,
  type: "gauge",
  values: Object.entries(counts).map(([state, value]) => ({ labels: { [label]: state }, value })),
})

/** The age of a backup is the difference to the present time: so it also grows while the server is not asked. */
function backupFamilies({ backups }: Deps): Family[] {
  const states = backups()
  return [
    {
      name: "kontor_backup_last_success_timestamp_seconds",
      help: "When the newest automatic backup was made.",
      type: "gauge",
      values: states.flatMap(({ place, latest }) =>
        latest === null ? [] : [{ labels: { place }, value: latest / 1_000 }],
      ),
    },
    {
      name: "kontor_backup_last_failed",
      help: "1 if the last attempt to make an automatic backup failed, else 0.",
      type: "gauge",
      values: states.map(({ place, hasFailed }) => ({ labels: { place }, value: hasFailed ? 1 : 0 })),
    },
  ]
}

function processFamilies({ certificateUntil }: Deps, startedAt: number): Family[] {
  const { user, system } = process.cpuUsage()
  const until = certificateUntil()
  const expiry = "When the TLS certificate in use expires."
  return [
    ...(until === null
      ? []
      : [gauge("kontor_tls_certificate_expiry_timestamp_seconds", expiry, until / 1_000)]),
    counter("process_cpu_seconds", "The CPU time of the process.", (user + system) / 1_000_000),
    gauge("process_resident_memory_bytes", "The memory of the process.", process.memoryUsage.rss()),
    gauge("process_start_time_seconds", "When the process was started.", startedAt),
    gauge("kontor_build_info", "1, with the version in the labels.", 1, {
      version,
      commit: commit(),
      schema: String(latestVersion),
    }),
  ]
}
