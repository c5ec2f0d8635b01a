import { assertMay, type Caller, mayCaller } from "../../core/caller"
import { callerOf } from "../../core/http/request/call"
import { ok } from "../../core/http/answer/envelope"
import { action, get, type Route } from "../../core/http/route/route"
import { readParams } from "../../core/kind/query"
import { jobRight, type Right } from "../../shared/rights"
import { jobSchema, shownJob } from "./model"
import type { JobService } from "./service"

type Deps = {
  jobs: JobService
  /** The kinds of job that these routes show, each with its right. Others, such as imports, have routes of their own. */
  kinds: Readonly<Record<string, Right>>
}

const names = { id: "job" }

/** Jobs: how far they have come, and a way to stop them. */
export const jobRoutes = (deps: Deps): Route[] => {
  const [may = jobRight, ...orMay] = Object.values(deps.kinds)
  return [
    get(
      "/jobs/:id",
      {
        may,
        orMay,
        id: "getJob",
        tag: "jobs",
        summary: "Get one job",
        description:
          "How far it has come, and its first 1,000 faults. Only the user who started it and admins see it. They need the right of what the job does: for the replay of a webhook, the scope `webhooks` is enough. A job is deleted 30 days after its end. Imports are at `GET /imports/{id}`.",
        names,
        answer: { status: 200, description: "The job.", schema: jobSchema },
        refuses: [404],
      },
      ({ call, params: { id = "" } }) => {
        readParams(call.query)
        const { jobs } = deps
        return ok(
          shownJob(jobs.get(kindOf(deps, id, callerOf(call)), id, callerOf(call)), jobs.firstFaults(id)),
        )
      },
    ),
    action(
      "/jobs/:id/cancel",
      {
        may,
        orMay,
        id: "cancelJob",
        tag: "jobs",
        summary: "Cancel a job",
        description: "Stops a job that has not ended. What it has done stays.",
        names,
        takesIfMatch: false,
        answer: { status: 200, description: "The job, which has failed.", schema: jobSchema },
        refuses: [404, 422],
      },
      (tx, { caller, params: { id = "" } }) =>
        shownJob(deps.jobs.cancel(tx, kindOf(deps, id, caller), id, caller), deps.jobs.firstFaults(id)),
    ),
  ]
}

/** Returns the kind of a job. Who may only manage webhooks is refused what is not about them, whether it exists or not. */
function kindOf({ jobs, kinds }: Deps, id: string, caller: Caller): string {
  const seen = Object.keys(kinds).filter((kind) => mayCaller(caller, kinds[kind] ?? jobRight))
  const found = seen.find((kind) => jobs.find(kind, id, caller))
  if (found) return found
  if (!seen.some((kind) => kinds[kind]?.scope === jobRight.scope)) assertMay(caller, jobRight)
  return jobs.kindOf(id, seen)
}
