import { callerOf } from "../../core/http/request/call"
import { ok } from "../../core/http/answer/envelope"
import { action, get, type Route } from "../../core/http/route/route"
import { readParams } from "../../core/kind/query"
import { jobRight } from "../../shared/rights"
import { jobSchema, shownJob } from "./model"
import type { JobService } from "./service"

type Deps = {
  jobs: JobService
  /** The kinds of job that these routes show. Others, such as imports, have routes of their own. */
  kinds: readonly string[]
}

const may = jobRight
const names = { id: "job" }

/** Jobs: how far they have come, and a way to stop them. */
export const jobRoutes = ({ jobs, kinds }: Deps): Route[] => [
  get(
    "/jobs/:id",
    {
      may,
      id: "getJob",
      tag: "jobs",
      summary: "Get one job",
      description:
        "How far it has come, and its first 1,000 faults. Only the user who started it and admins see it. A job is deleted 30 days after its end. Imports are at `GET /imports/{id}`.",
      names,
      answer: { status: 200, description: "The job.", schema: jobSchema },
      refuses: [404],
    },
    ({ call, params: { id = "" } }) => {
      readParams(call.query)
      return ok(shownJob(jobs.get(jobs.kindOf(id, kinds), id, callerOf(call)), jobs.firstFaults(id)))
    },
  ),
  action(
    "/jobs/:id/cancel",
    {
      may,
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
      shownJob(jobs.cancel(tx, jobs.kindOf(id, kinds), id, caller), jobs.firstFaults(id)),
  ),
]
