import { fieldError, invalid, Refusal } from "../../core/lib/refusal"
import type { Tx } from "../../core/write/writer"
import { later } from "../../shared/dates"
import { findSending } from "../webhooks/store"
import { newId } from "../../core/lib/id"
import { mailRefusals, type MailStatus, type MailTest, type Message } from "./model"
import { doubtQueued, settle } from "./outbox/settle"
import { prepared, type PrepareDeps } from "./outbox/prepare"
import { countEnded, countQueued, findWork, hasMessages, saveWork } from "./store"
import { mailSender, type SenderDeps } from "./outbox/sender"
import { sendTest, type TestDeps } from "./test-mail"
import type { Outcome } from "./transport/deliver"
import { missingIn, serverOf } from "./transport/server"

type Deps = Omit<SenderDeps, "isSending" | "server" | "prepare" | "first"> &
  Omit<PrepareDeps, "writer"> &
  TestDeps & { settings: Parameters<typeof serverOf>[0] }

const day = 86_400_000
/** More are not counted, so that it takes no time. */
const mostCounted = 10_000

/** What sends mail: the sender, whether anything is sent at all, and tests. */
export function mailSending(deps: Deps) {
  const { db, settings, isSwitchedOn } = deps
  const isPaused = (): boolean => findSending(db)?.isPaused === true
  const server = () => serverOf(settings)
  const sender = mailSender({
    ...deps,
    isSending: () => isSwitchedOn && !isPaused(),
    server,
    prepare: (message, signal) => prepared(deps, message, signal),
    first: "users",
  })
  return {
    sender,

    status(): MailStatus {
      const missing = missingIn(settings)
      return {
        isSending: isSwitchedOn && !isPaused(),
        isPaused: isPaused(),
        isSwitchedOff: !isSwitchedOn,
        isSetUp: missing?.length === 0,
        missing: missing ?? [],
      }
    },

    /** The messages by status: those that wait, and those of the last day that have ended. */
    counts(): Record<string, number> {
      const since = later(deps.clock(), -day)
      const ended = (["sent", "failed", "uncertain"] as const).map(
        (status) => [status, countEnded(db, status, since, mostCounted)] as const,
      )
      return { queued: countQueued(db, mostCounted), ...Object.fromEntries(ended) }
    },

    isSetUp: (): boolean => server() !== null,
    isPaused,

    /** Refuses to queue a message that no server can send. */
    assertSetUp(): void {
      if (server() === null) throw notSetUp(missingIn(settings))
    },

    /** True when a restored database has, or may have, mail that was sent after its backup was made. */
    hasAny: (): boolean => settings.get().smtp !== null || hasMessages(db),

    /** Makes the messages of a restored database uncertain that waited when the backup was made. */
    doubt(tx: Tx): void {
      while (doubtQueued(deps, tx)) continue
    },

    /** Stores what has become of a message as if it had been sent now. For the demo shop, whose past is invented. */
    settleAs(tx: Tx, message: string, outcome: Outcome): void {
      const attempt = newId("att", tx.now)
      const work = findWork(db, message)
      const before = deps.store.load(message) as Message | null
      if (!work || !before) return
      saveWork(db, message, { ...work, attempt })
      deps.store.replace(tx, { ...before, status: "sending", nextAttemptAt: null }, before)
      settle(deps, tx, { message, attempt, at: tx.now, outcome })
    },

    /** Sends a test message now. */
    async test(to: string, signal: AbortSignal): Promise<MailTest> {
      if (!isSwitchedOn)
        throw invalid("to", "RULE", "cannot be sent to: the server was started with --no-sending", {
          rule: "NO_SENDING",
        })
      const found = server()
      if (!found) throw notSetUp(missingIn(settings))
      return sendTest(deps, found, to, signal)
    },
  }
}

export type MailSending = ReturnType<typeof mailSending>

function notSetUp(missing: readonly string[] | null): Refusal {
  if (missing === null)
    return new Refusal(mailRefusals.MAIL_NOT_SET_UP, "No server that sends mail is set up.", {
      details: [fieldError("smtp", "REQUIRED", "is required in the settings")],
    })
  const lacking = missing.map((name) => `smtp.${name}`)
  return new Refusal(
    mailRefusals.MAIL_NOT_SET_UP,
    `The settings of the server that sends mail lack ${lacking.join(", ")}.`,
    { details: lacking.map((field) => fieldError(field, "REQUIRED", "is required in the settings")) },
  )
}
