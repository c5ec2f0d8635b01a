import { type Static, Type } from "@sinclair/typebox"
import type { Actor } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { Refusal } from "../../core/lib/refusal"
import { actorOf, type Call, callerOf } from "../../core/http/request/call"

/** Returns who a job works for: the caller of the request that starts it. */
export function jobCallerOf(call: Call): JobCaller {
  const { kind, userId, credentialId, secretTag, scopes } = callerOf(call)
  return { kind, userId, credentialId, ...(secretTag ? { secretTag } : {}), scopes, actor: actorOf(call) }
}

const sentences = {
  USER_INACTIVE: "The user who started this job is not active any more.",
  SESSIONS_ENDED:
    "The sessions of the user who started this job were ended: by a new password, or by signing out on all devices.",
  KEY_REVOKED:
    "The API key that started this job was revoked or rotated, or its user is not active any more.",
  KEY_EXPIRED: "The API key that started this job has expired.",
  APP_DISCONNECTED:
    "The app that started this job is not connected any more, or its user is not active any more.",
} as const

/** Why a job lost its caller. It is the parameter `reason` of the error. */
export type JobEndReason = keyof typeof sentences

/** The error of a job that has no caller any more. */
export const jobEnded = (reason: JobEndReason): Refusal =>
  new Refusal("FORBIDDEN", `${sentences[reason]} What was done before stays.`, { params: { reason } })

/** `checking` finds out what to do and whether it can be done; `applying` does it. */
export const jobStatuses = ["queued", "checking", "applying", "finished", "failed"] as const
export type JobStatus = (typeof jobStatuses)[number]

/** The user or program that a job works for. Its rights are loaded again with every slice of the job. */
export type JobCaller = Pick<Caller, "kind" | "userId" | "credentialId" | "secretTag" | "scopes"> & {
  actor: Actor
}

const errorSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  params: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        "The values that the message contains. `reason` says why a file cannot be imported, or why the job lost its caller",
    }),
  ),
})

/** Why a job has failed. */
export type JobError = Static<typeof errorSchema>

export const errorOf = ({ code, message, params }: Refusal): JobError => ({
  code,
  message,
  ...(params ? { params: { ...params } } : {}),
})

/** A JSON object that belongs to the handler of the job. */
export type JobData = Record<string, unknown>

export type Job = {
  id: string
  kind: string
  status: JobStatus
  caller: JobCaller
  /** The request. */
  input: JobData
  state: JobData
  /** The result so far, for the response. */
  output: JobData
  error: JobError | null
  /** In percent. */
  progress: number
  attempts: number
  createdBy: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

/** A record that a job could not change, or a row of a file that is wrong. */
export const faultSchema = Type.Object(
  {
    row: Type.Union([Type.Integer(), Type.Null()], {
      description: "The number of the row, as a spreadsheet shows it",
    }),
    column: Type.Union([Type.String(), Type.Null()], { description: "The title of the column" }),
    field: Type.Union([Type.String(), Type.Null()]),
    record: Type.Optional(Type.String({ description: "The id of the record" })),
    code: Type.Optional(
      Type.String({ description: "The reason, for a client that shows it in another language" }),
    ),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "The values that the message contains" }),
    ),
    message: Type.String(),
  },
  { $id: "Fault" },
)
export type JobFault = Static<typeof faultSchema>

/** The number of faults in a response. A CSV file has all of them. */
export const mostShownFaults = 1_000
/** More warnings of one job are counted but not stored. */
export const mostWarnings = 1_000
/** More faults of one job are counted but not stored. */
export const mostStoredFaults = 200_000

const nullable = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()])
const timestamp = () => Type.String({ format: "date-time" })

/** The fields that all jobs have in a response. */
export const jobFields = {
  status: Type.Unsafe<JobStatus>({ type: "string", enum: [...jobStatuses] }),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: "In percent" }),
  faults: Type.Array(faultSchema, {
    description: `The first ${mostShownFaults} faults`,
    maxItems: mostShownFaults,
  }),
  faultCount: Type.Integer({ minimum: 0 }),
  error: Type.Union([errorSchema, Type.Null()]),
  createdBy: nullable(Type.String()),
  createdAt: timestamp(),
  startedAt: nullable(timestamp()),
  finishedAt: nullable(timestamp()),
}

/** A job in the form of a response. */
export const jobSchema = Type.Object(
  {
    id: Type.String({ pattern: "^job_[0-9a-z]{26}$" }),
    kind: Type.String(),
    ...jobFields,
    counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: "The number of records by what became of them. The names depend on the kind.",
    }),
  },
  { $id: "Job" },
)
export type ShownJob = Static<typeof jobSchema>

/** Converts a job to the form of a response. Its state has the counts, if its kind counts records. */
export function shownJob(job: Job, faults: JobFault[]): ShownJob {
  const { id, kind, status, progress, error, createdBy, createdAt, startedAt, finishedAt } = job
  const { counts = {}, faultCount = 0 } = job.state as Partial<Pick<ShownJob, "counts" | "faultCount">>
  return {
    id,
    kind,
    status,
    progress,
    counts,
    faults,
    faultCount,
    error,
    createdBy,
    createdAt,
    startedAt,
    finishedAt,
  }
}
