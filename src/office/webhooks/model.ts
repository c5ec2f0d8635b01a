import { type Static, Type } from "@sinclair/typebox"
import { type Check, defineLedger, defineResource, type RecordOf } from "../../core/kind/define"
import {
  boolean,
  choice,
  derived,
  integer,
  list,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  structure,
  timestamp,
  withDefault,
} from "../../core/kind/field"
import { text } from "../../core/kind/text-field"
import { type KindRights, mayRole, type Right, roles } from "../../shared/rights"
import { type Caller, isAdminInPerson } from "../../core/caller"
import { errorOfUrl } from "./addresses"
import { failureCodes, type FailureParams } from "./failure"
import { type FieldError, refusalsOf } from "../../core/lib/refusal"
import type { EventKind } from "../events/model"
import { isMatch, unknownTypes } from "../events/query"

const allTypes = (known: readonly EventKind[]): string[] => known.flatMap(({ types }) => types)

/** Returns the types of events that match one of the patterns. */
export const matchedTypes = (patterns: readonly string[], known: readonly EventKind[]): string[] =>
  allTypes(known).filter((type) => patterns.some((pattern) => isMatch(pattern, type)))

/** Returns the errors of patterns that match nothing. Those that are stored already are accepted. */
export function typeErrors(
  given: unknown,
  known: readonly EventKind[],
  stored: readonly string[] = [],
): FieldError[] {
  if (!Array.isArray(given)) return []
  const all = allTypes(known)
  return given.flatMap((pattern, i) =>
    typeof pattern !== "string" ||
    stored.includes(pattern) ||
    all.some((type) => isMatch(pattern.trim(), type))
      ? []
      : [unknownTypes(`types[${i}]`, pattern, all)],
  )
}

/** Everybody manages their own webhooks. An API key or an app needs the scope for that. */
export const webhookRight: Right = { area: "webhooks", scope: "webhooks" }
const rights: KindRights = { read: webhookRight, write: webhookRight, remove: webhookRight }

const url = {
  ...text({
    max: 2048,
    format: "uri",
    examples: ["https://shop.example/hooks"],
    check: (value) => {
      const error = errorOfUrl(value)
      return error ? { error, format: "uri" } : { value }
    },
  }),
  isExact: true,
}

const type = text({ max: 100, examples: ["invoices.*"] })

/** The number of requests that may run at the same time. */
const mostParallel = 4

/** Why the server has disabled a webhook. */
export const disabledReasons = ["gone", "failing", "restored"] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** Why nothing is sent to an active webhook. Its events wait. */
export const pausedReasons = ["owner", "program"] as const

/** True for those who see and manage the webhooks of all users. An API key or an app has only those of its user. */
export const managesAll = isAdminInPerson

/** The program that changes a webhook: the API key, or the client of the app. Null for a person who signed in. */
export const programOf = ({ kind, credentialId, clientId }: Caller): string | null =>
  kind === "apiKey" ? credentialId : (clientId ?? null)

const isOfActiveUser = `EXISTS (SELECT 1 FROM users WHERE users.id = webhooks.owner AND users.is_active = 1
  AND users.role IN (${roles
    .filter((role) => mayRole(role, webhookRight))
    .map((role) => `'${role}'`)
    .join(", ")}))`

/** True unless the API key of a webhook was revoked, or its app was disconnected or has lost the scope. */
const isOfValidProgram = `NOT EXISTS (SELECT 1 FROM webhook_programs AS p WHERE p.webhook = webhooks.id
  AND NOT EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = p.program)
  AND NOT EXISTS (SELECT 1 FROM oauth_grants JOIN oauth_clients ON oauth_clients.id = oauth_grants.client
    WHERE oauth_grants.client = p.program AND oauth_grants.user = webhooks.owner
    AND oauth_grants.scopes LIKE '%"webhooks"%' AND oauth_clients.scopes LIKE '%"webhooks"%'))`

/**
 * An SQL expression that is true while the owner of a webhook may manage webhooks, and the program that has set it up may
 * act for the owner. Who may not read the records must not get them from a webhook that was made before.
 */
export const isOwned = `(${isOfActiveUser} AND ${isOfValidProgram})`

/** Why a replay ends. */
export const webhookRefusals = refusalsOf({
  WEBHOOK_NOT_SENDING: {
    about:
      "A replay ended, because the webhook or its user gets nothing any more: it is inactive, paused or deleted",
    de: "Der Webhook bekommt nichts mehr: Er ist nicht aktiv, angehalten oder gelöscht.",
  },
  RECEIVER_FAILS: {
    about: "A replay ended, because the receiver of the webhook failed several times in a row",
    de: "Der Empfänger hat mehrmals hintereinander nicht richtig geantwortet.",
  },
})

/** A webhook that is further than the feed would miss events. */
const webhookChecks: readonly Check[] = [
  {
    says: ({ name, is, should }) => `The webhook ${name} is at event ${is}; the newest one is ${should}.`,
    sql: `SELECT id AS name, position AS "is", newest AS should
      FROM webhooks JOIN webhook_positions ON webhook = id,
        (SELECT coalesce(max(seq), 0) AS newest FROM events) AS feed
      WHERE position > newest`,
  },
]

/** An HTTP endpoint that gets events. Its secret is shown once and signs its requests. */
export const webhooks = defineResource({
  name: "webhooks",
  table: "webhooks",
  idPrefix: "whk",
  noun: "webhook",
  title: "Webhook",
  about:
    "Endpoints that get events as HTTP requests. Everybody manages their own webhooks, and an admin who signed in those of all users. API keys and apps with the scope `webhooks` manage those of their user. A webhook gets the events that its `owner` may read. Who updates a webhook or rotates its secret becomes its `owner`. While the owner is disabled, its events wait.",
  menu: {
    group: "developers",
    place: 3,
    path: "/settings/webhooks",
    recordPath: "/settings/webhooks/:id",
    icon: "webhook",
  },
  names: {
    en: { title: "Webhooks", one: "webhook", many: "webhooks", the: "the webhook" },
    de: { title: "Webhooks", one: "Webhook", many: "Webhooks", the: "den Webhook" },
  },
  rights,
  refusals: webhookRefusals,
  checks: webhookChecks,
  hasHistory: true,
  search: [],
  scan: ["url", "description"],
  fields: {
    url: required(url),
    description: text({ max: 200, examples: ["Web shop"] }),
    types: required(list(type, { min: 1, max: 100 })),
    payload: withDefault(choice(["thin", "full"]), "thin"),
    isActive: withDefault(boolean(), true),
    parallel: withDefault(integer({ min: 1, max: mostParallel }), 1),
    disabledReason: readOnlyNullable(choice(disabledReasons)),
    disabledAt: readOnlyNullable(timestamp()),
    failingSince: readOnlyNullable(timestamp()),
    lastSuccessAt: readOnlyNullable(timestamp()),
    createdBy: readOnlyNullable(reference("usr")),
    owner: readOnlyNullable(reference("usr")),
    pausedReason: derived(
      readOnlyNullable(choice(pausedReasons)),
      () => `CASE WHEN webhooks.is_active = 0 THEN NULL WHEN NOT ${isOfActiveUser} THEN 'owner'
        WHEN NOT ${isOfValidProgram} THEN 'program' END`,
    ),
  },
})

export type Webhook = RecordOf<typeof webhooks>

/**
 * The status of a delivery. A pending one is sent again. It is uncertain whether the receiver got an uncertain one,
 * because the database was restored.
 */
export const deliveryStatuses = ["succeeded", "pending", "failed", "uncertain"] as const

const headersSchema = Type.Record(Type.String(), Type.String(), {
  description: "The headers of the last attempt, with its signature",
  examples: [{ "webhook-id": "evt_01kb2qk3dvb6r8h5m9x4w7z2nc", "webhook-timestamp": "1772357400" }],
})
/** A string in the API document, as the codes of import faults are: later versions may add codes. */
/** It may be empty. */
const responseSchema = Type.String({ maxLength: 1_024, description: "The first kB of the response" })
const codeSchema = Type.String({
  description: "The reason, for a client that shows it in another language",
  examples: ["TIMEOUT"],
})
const paramsSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
  description: "The values that `error` contains",
  examples: [{ seconds: 15 }],
})

const requestAbout =
  "The event that was sent. The body of a full payload also had the record, of which no copy is kept."

/** An event that was sent to a webhook, with the last attempt. */
export const webhookDeliveries = defineLedger({
  name: "deliveries",
  table: "webhook_deliveries",
  isWrittenByModule: true,
  isBounded: true,
  idPrefix: "whd",
  noun: "delivery",
  title: "WebhookDelivery",
  about: "The events that were sent to a webhook.",
  rights,
  search: [],
  scan: ["event", "type"],
  indexed: { group: ["webhook"] },
  fields: {
    webhook: readOnly(reference("whk")),
    event: readOnly(text({ examples: ["evt_01kb2qk3dvb6r8h5m9x4w7z2nc"] })),
    type: readOnly(text({ examples: ["invoices.issued"] })),
    status: readOnly(choice(deliveryStatuses)),
    attempts: readOnly(integer()),
    nextAttemptAt: readOnlyNullable(timestamp()),
    request: readOnly(text({ max: 10_000, multiline: true, description: requestAbout })),
    requestHeaders: readOnlyNullable(structure<Record<string, string>>(headersSchema)),
    responseStatus: readOnlyNullable(integer()),
    response: readOnlyNullable({ ...text({ multiline: true }), schema: responseSchema }),
    error: readOnlyNullable(text({ max: 1_000, description: "Why there was no response" })),
    errorCode: readOnlyNullable({ ...choice(failureCodes), schema: codeSchema }),
    errorParams: readOnlyNullable(structure<FailureParams>(paramsSchema)),
    durationMs: readOnly(integer()),
    updatedAt: readOnly(timestamp()),
  },
})

export type Delivery = RecordOf<typeof webhookDeliveries>

export const SendingStatus = Type.Object(
  {
    isSending: Type.Boolean({ description: "True when events are sent" }),
    isPaused: Type.Boolean({ description: "True after a restore, until POST /webhooks/resume" }),
    isSwitchedOff: Type.Boolean({ description: "True when the server was started with --no-sending" }),
  },
  { $id: "WebhookSending" },
)
export type SendingStatus = Static<typeof SendingStatus>
