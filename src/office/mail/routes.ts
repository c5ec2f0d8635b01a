import type { Tx } from "../../core/write/writer"
import { ok } from "../../core/http/answer/envelope"
import { byKeyReadRoutes } from "../../core/http/route/by-key"
import { type Money, readRoutes } from "../../core/http/route/kind-routes"
import { ref } from "../../core/http/openapi/kind-schemas"
import { action, checked, get, handled, type Route } from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import { body, type BodyOf, emptyBody } from "../../core/kind/body"
import { required } from "../../core/kind/field"
import { email } from "../../core/kind/text-field"
import { readParams } from "../../core/kind/query"
import { adminRights } from "../../shared/rights"
import { MailStatus, MailTest, messages, orRead, orWrite } from "./model"
import type { MailSending } from "./sending"
import type { MessageService } from "./service"

type Deps = {
  messages: MessageService
  mailSending: MailSending
  writes: Writes
  money: Money
  /** Sends again after a restore. */
  resume: (tx: Tx) => void
}

const tag = messages.name
const { read, write } = messages.rights

/** Messages, whether they are sent, and a test of the server. */
export const messageRoutes = (deps: Deps): Route[] => [
  ...statusRoutes(deps),
  ...[...readRoutes(messages, deps.messages, deps.money), ...byKeyReadRoutes(messages, deps.messages)].map(
    (route) => ({ ...route, orMay: [orRead] }),
  ),
  ...changeRoutes(deps.messages),
]

const statusRoutes = ({ mailSending, resume }: Deps): Route[] => [
  get(
    "/messages/status",
    {
      may: read,
      orMay: [orRead],
      id: "getMailStatus",
      tag,
      summary: "Get whether mail is sent",
      description:
        "After a restore nothing is sent until `POST /messages/resume`, and the secrets of the server are missing. A server that was started with `--no-sending` never sends.",
      answer: { status: 200, description: "Whether mail is sent.", schema: MailStatus },
    },
    ({ call }) => {
      readParams(call.query)
      return ok(mailSending.status())
    },
  ),
  action(
    "/messages/resume",
    {
      may: adminRights.write,
      id: "resumeMail",
      tag,
      summary: "Send mail and events again after a restore",
      description:
        "The same as `POST /webhooks/resume`. A restored database does not know what was sent after its backup was made, so it sends nothing until an admin has looked at it. The messages that waited in the backup are `uncertain`.",
      takesIfMatch: false,
      body: checked(emptyBody),
      answer: { status: 200, description: "Whether mail is sent.", schema: MailStatus },
    },
    (tx) => {
      resume(tx)
      return mailSending.status()
    },
  ),
]

const change = {
  may: write,
  orMay: [orWrite],
  tag,
  names: { id: messages.noun },
  body: checked(emptyBody),
  answer: { status: 200, description: "The message.", schema: ref(messages.title), headers: ["ETag"] },
  refuses: [404, 412],
}

const changeRoutes = (service: MessageService): Route[] => [
  action(
    "/messages/:id/retry",
    {
      ...change,
      id: "retryMessage",
      summary: "Send a message again now",
      description:
        "For a message that failed or is uncertain, or that waits for its next attempt. The receiver may get an uncertain one twice. Needs the right to write the record.",
    },
    (tx, { params: { id = "" }, expected, caller }) => service.retry(tx, id, expected, caller),
  ),
  action(
    "/messages/:id/cancel",
    {
      ...change,
      id: "cancelMessage",
      summary: "Cancel a message that waits",
      description: "Needs the right to write the record.",
    },
    (tx, { params: { id = "" }, expected, caller }) => service.cancel(tx, id, expected, caller),
  ),
]

const testBody = body({ to: required(email()) }, { example: { to: "office@example.com" } })

/** A test of the server in the settings. */
export const mailTestRoutes = ({ mailSending, writes }: Pick<Deps, "mailSending" | "writes">): Route[] => [
  handled<BodyOf<typeof testBody>>(
    "POST",
    "/settings/smtp/test",
    {
      may: adminRights.write,
      id: "testMail",
      tag: "settings",
      summary: "Send a test message",
      description:
        "Sends a message now with the stored settings, and waits for the result. The status is 200 also when a step fails: `steps` has what the server has said in each, and why it went no further.",
      body: checked(testBody),
      answer: { status: 200, description: "How far it came.", schema: MailTest },
      refuses: [422],
    },
    async ({ call, body: { to } }) => {
      call.keepOpen()
      await writes.runWrite(call, (tx) =>
        tx.audit("settings.test-mail", "settings", { to: { from: null, to } }),
      )
      return ok(await mailSending.test(to, call.signal()))
    },
  ),
]
