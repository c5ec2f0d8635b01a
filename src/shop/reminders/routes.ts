import { ok } from "../../core/http/answer/envelope"
import { runLongWork } from "../../core/http/answer/list-answer"
import { ref } from "../../core/http/openapi/kind-schemas"
import { callerOf } from "../../core/http/request/call"
import { dryRunHeader } from "../../core/http/request/dry-run"
import { created, type Writes } from "../../core/http/request/write"
import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import { checked, handled, post, type Route, type RouteCall } from "../../core/http/route/route"
import type { Reading } from "../../core/kind/body"
import { jobCallerOf, jobSchema, shownJob } from "../../office/jobs/model"
import type { JobService } from "../../office/jobs/service"
import type { MessageService } from "../../office/mail/service"
import { type ReminderBody, reminderBody, reminders, type RunBody, runBody, RemindersDue } from "./model"
import { beginRun, remindersKind } from "./run"
import { assertMayRemind, type ReminderService } from "./service"

type Needs = { reminders: ReminderService; jobs: JobService; writes: Writes; messages: MessageService }

const { name: tag, rights } = reminders

/** Reminders: reading them, making one, and making all that are due. */
export const reminderRoutes = (the: Needs, deps: BusinessDeps): Route[] => [
  ...businessRoutes(reminders, the.reminders, deps),
  post<Reading<ReminderBody>>(
    "/invoices/:id/reminders",
    {
      may: rights.write,
      id: "remindOfInvoice",
      tag,
      summary: "Make the next reminder of an invoice",
      description:
        "It is due `afterDays` after the due date of the invoice, by the setting `reminderLevels`, and at least as many days after the last one as there are between their levels. Before that, while reminders are paused, and when nothing is open, the answer is 422 `REMINDER_NOT_DUE`; its `params.reason` is `EARLY` (with `dueOn`), `PAUSED`, `NOT_OPEN` or `NO_LEVEL_LEFT`. With `override`, the first two do not count. For accountants, managers and admins.",
      names: { id: "invoice" },
      body: reminderBody,
      answer: {
        status: 201,
        description: "The reminder.",
        schema: ref(reminders.title),
        headers: ["ETag", "Location"],
      },
      refuses: [404],
    },
    (tx, { params: { id = "" }, body, caller }) =>
      created("/api/v1/reminders", the.reminders.remind(tx, id, body, caller)),
  ),
  handled<RunBody>(
    "POST",
    "/reminders/run",
    {
      may: rights.write,
      id: "runReminders",
      tag,
      summary: "Make all reminders that are due",
      description:
        "In the background: `GET /jobs/{id}` tells how far it is. With `send`, each customer gets one message with all its reminders. What was paid meanwhile is left out, and nothing is made twice. A dry run returns what is due now. For accountants, managers and admins.",
      readsQuery: true,
      guard: ({ call }) => {
        assertMayRemind(callerOf(call))
        the.writes.isDryRun(call)
      },
      takesIdempotencyKey: true,
      body: checked(runBody),
      answer: {
        status: 202,
        description: "The job that makes the reminders.",
        schema: jobSchema,
        headers: ["Location"],
      },
      dryRunAnswer: { status: 200, description: "What is due.", schema: RemindersDue },
      refuses: [422],
    },
    (context) => run(the, context),
  ),
]

async function run(
  { reminders: service, jobs, writes, messages }: Needs,
  { call, request, set, body }: RouteCall & { body: RunBody },
) {
  const caller = callerOf(call)
  if (writes.isDryRun(call) || body.dryRun) {
    Object.assign(set.headers, dryRunHeader)
    return runLongWork(call, async (signal) => ok(await service.due(signal)))
  }
  if (body.send) messages.assertSetUp()
  jobs.assertRoom(remindersKind, caller.userId)
  return writes.runPost({ call, request, set }, body, (tx) => {
    const job = beginRun(tx, jobs, jobCallerOf(call), { send: body.send })
    return { status: 202, headers: { location: `/api/v1/jobs/${job.id}` }, data: shownJob(job, []) }
  })
}
