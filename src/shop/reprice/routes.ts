import { callerOf } from "../../core/http/request/call"
import { dryRunHeader } from "../../core/http/request/dry-run"
import { ok } from "../../core/http/answer/envelope"
import { runLongWork } from "../../core/http/answer/list-answer"
import { handled, type Route, type RouteCall } from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import type { Input } from "../../core/kind/read"
import { items } from "../items/model"
import { jobCallerOf } from "../../office/jobs/caller"
import { shownJob } from "../../office/jobs/model"
import type { JobService } from "../../office/jobs/service"
import { readReprice, repriceBody, type RepriceRequest } from "./body"
import { repriceKind, repricePreviewSchema, repriceSchema, type RepricePreview } from "./model"
import type { RepriceService } from "./service"

type Deps = { reprice: RepriceService; jobs: JobService; writes: Writes }
type Given = { given: RepriceRequest; input: Input }

/** POST /items/reprice. */
export const repriceRoutes = (deps: Deps): Route[] => [
  handled<Given>(
    "POST",
    "/items/reprice",
    {
      may: items.rights.write,
      alsoMay: items.rights.read,
      id: "repriceItems",
      tag: items.name,
      summary: "Change the prices of many items",
      description:
        "Changes the selling prices of all items that match the filter, by a percentage or an amount. The new prices are computed and stored first and applied then, in the background: `GET /jobs/{id}` tells how far it is. Each item gets one history entry. An item whose price is changed by somebody else meanwhile keeps that price, as does one whose new price would be negative; both are faults of the job. A dry run returns what would become of all items in `counts`, and the prices of the first ten before and after. The credential also needs the scope `read`.",
      readsQuery: true,
      guard: ({ call }) => void deps.writes.isDryRun(call),
      takesIdempotencyKey: true,
      body: {
        ...repriceBody,
        read: (input) => ({ given: readReprice(input, deps.reprice.moneyContext()), input }),
      },
      answer: {
        status: 202,
        description: "The job that changes the prices.",
        schema: repriceSchema,
        headers: ["Location"],
      },
      dryRunAnswer: {
        status: 200,
        description: "The result of a dry run.",
        schema: repricePreviewSchema,
      },
      refuses: [422],
    },
    (context) => run(deps, context),
  ),
]

async function run(
  { reprice, jobs, writes }: Deps,
  { call, request, set, body }: RouteCall & { body: Given },
) {
  const { given, input } = body
  const { isDry, ...wanted } = given
  const isDryRun = writes.isDryRun(call) || isDry
  if (!isDryRun) jobs.assertRoom(repriceKind, callerOf(call).userId)
  const preview = (await runLongWork(call, (signal) => reprice.preview(wanted, signal))) as RepricePreview
  if (isDryRun) {
    Object.assign(set.headers, dryRunHeader)
    return ok({ ...preview, counts: await runLongWork(call, (signal) => reprice.count(wanted, signal)) })
  }
  return writes.runPost({ call, request, set }, input, (tx) => {
    const job = reprice.begin(tx, jobs, jobCallerOf(call), { ...wanted, expected: preview.matched })
    return {
      status: 202,
      headers: { location: `/api/v1/jobs/${job.id}` },
      data: { ...shownJob(job, []), ...preview },
    }
  })
}
