import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"
import { networkOf } from "../../core/http/request/address"
import type { BodyOf } from "../../core/kind/body"
import { real } from "../../core/lib/clock"
import { hashPassword } from "../../core/lib/password"
import { invalid, Refusal } from "../../core/lib/refusal"
import { digestOf, newSecret } from "../../core/lib/secret"
import { mailKey } from "../../core/lib/text"
import type { Actor, Tx, Writer } from "../../core/write/writer"
import { later } from "../../shared/dates"
import type { Language } from "../../shared/languages"
import { mailRefusals, type Message } from "../mail/model"
import type { MessageService } from "../mail/service"
import { type User, users as userKind } from "../users/model"
import type { UserService } from "../users/service"
import type { LoginThrottle } from "./throttle"
import type { FactorService } from "../factors/service"
import type { forgotBody, resetBody } from "./model"

type Deps = {
  db: Database
  writer: Writer
  users: UserService
  factors: Pick<FactorService, "useCode">
  throttle: LoginThrottle
  messages: Pick<MessageService, "queue">
  isMailSetUp: () => boolean
  /** The URL that people use. The host of a request must not get into a link. */
  publicUrl: string | null
  language: () => Language
}

/** In milliseconds. */
const linkLifetime = 30 * 60_000
/** How long requests are counted, in milliseconds. */
const window = 60 * 60_000
/** In this time. Nobody should get many messages, and nobody should make the server send many. */
const [mostPerEmail, mostPerNetwork, mostOfAll] = [3, 20, 500]
/** In one transaction. */
const atOnce = 20

const texts: Record<Language, { subject: string; message: string }> = {
  en: {
    subject: "Set a new password",
    message:
      "Hello,\n\nsomebody, probably you, wants to set a new password for Kontor. Open this link within 30 minutes:\n\n{link}\n\nIf it was not you, do nothing: your password stays as it is.",
  },
  de: {
    subject: "Neues Passwort festlegen",
    message:
      "Guten Tag,\n\njemand, vermutlich Sie, möchte ein neues Passwort für Kontor festlegen. Öffnen Sie dazu innerhalb von 30 Minuten diesen Link:\n\n{link}\n\nWenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.",
  },
  fr: {
    subject: "Choisir un nouveau mot de passe",
    message:
      "Bonjour,\n\nquelqu’un, sans doute vous, souhaite choisir un nouveau mot de passe pour Kontor. Ouvrez ce lien dans les 30 minutes :\n\n{link}\n\nSi ce n’était pas vous, ne faites rien : votre mot de passe reste inchangé.",
  },
}

/** Forgotten passwords: a link by mail, with which a user sets a new one. */
export function forgottenPasswords(deps: Deps) {
  const { db, writer } = deps
  const worker = workerOf(deps)
  /** True if links can be sent: there is a server that sends mail, and a URL to which they lead. */
  const isOffered = (): boolean => deps.publicUrl !== null && deps.isMailSetUp()
  return {
    isOffered,

    /**
     * Notes a request. Whose address it is, and whether it is anybody's, is looked up later: so the answer and its time
     * tell nothing.
     */
    async forgot({ email }: BodyOf<typeof forgotBody>, { ip }: Actor): Promise<void> {
      if (!isOffered())
        throw new Refusal(
          mailRefusals.MAIL_NOT_SET_UP,
          "Passwords cannot be reset by mail here. An admin can set a new one.",
        )
      await writer(() => note(db, mailKey(email), networkOf(ip ?? "")))
      worker.wake()
    },

    reset: (body: BodyOf<typeof resetBody>, by: Actor): Promise<void> => reset(deps, body, by),

    worker,

    /** Returns the text of a message with a new link. The secret in it is stored nowhere. */
    async textOf({ record, message }: Pick<Message, "record" | "message">): Promise<string> {
      const { publicUrl } = deps
      if (publicUrl === null) throw new Error("A link needs --public-url.")
      const secret = newSecret()
      await writer(() => saveLink(db, record, digestOf(secret), later(real.now(), linkLifetime)))
      return message.replace("{link}", `${publicUrl}/console/reset#token=${secret}`)
    },

    /** Maintenance. */
    deleteExpired(): void {
      db.query("DELETE FROM reset_requests WHERE is_done = 1 AND at < ?").run(later(real.now(), -window))
      db.query("DELETE FROM password_resets WHERE expires_at < ?").run(real.now())
    },
  }
}

export type ForgottenPasswords = ReturnType<typeof forgottenPasswords>

/** The time after a request before its message is written, in milliseconds. It must not be felt in other requests. */
const pause = 500

/** Writes the messages of the requests. It runs on one server. */
function workerOf(deps: Deps) {
  let isRunning = false
  let timer: Timer | undefined
  let work: Promise<void> = Promise.resolve()
  const settle = async (): Promise<void> => {
    while (isRunning && hasOpen(deps.db) && (await deps.writer((tx) => settleSome(deps, tx)))) continue
  }
  const wake = (): void => {
    if (!isRunning || timer) return
    timer = setTimeout(() => {
      timer = undefined
      // After a failure it goes on with the next request; the writer has logged the reason.
      work = work.then(settle).catch(() => {})
    }, pause)
  }
  return {
    start(): void {
      isRunning = true
      wake()
    },
    /** Looks for requests, also of other servers. */
    wake,
    async stop(): Promise<void> {
      isRunning = false
      clearTimeout(timer)
      timer = undefined
      await work
    },
  }
}

/** Notes a request, unless there were too many. */
function note(db: Database, email: string, network: string): void {
  const now = real.now()
  const since = later(now, -window)
  const count = (where: string, ...values: string[]): number =>
    valueOf(db, `SELECT count(*) FROM reset_requests WHERE at >= ?${where}`, since, ...values) ?? 0
  if (
    count("") >= mostOfAll ||
    count(" AND email_key = ?", email) >= mostPerEmail ||
    count(" AND network = ?", network) >= mostPerNetwork
  )
    return
  db.query("INSERT INTO reset_requests (email_key, network, at) VALUES (?, ?, ?)").run(email, network, now)
}

const hasOpen = (db: Database): boolean =>
  db.query("SELECT 1 FROM reset_requests WHERE is_done = 0 LIMIT 1").get() !== null

/** Writes the messages of some requests. Returns true if there may be more. */
function settleSome(deps: Deps, tx: Tx): boolean {
  const { db } = deps
  const open = db
    .query<{ seq: number; email: string }, []>(
      `SELECT seq, email_key AS email FROM reset_requests WHERE is_done = 0 ORDER BY seq LIMIT ${atOnce}`,
    )
    .all()
  for (const { seq, email } of open) {
    db.query("UPDATE reset_requests SET is_done = 1 WHERE seq = ?").run(seq)
    const user = deps.users.findByEmail(email) as User | null
    if (user?.isActive && deps.isMailSetUp()) queue(deps, tx, user)
  }
  return open.length === atOnce
}

function queue({ messages, language }: Deps, tx: Tx, { id, email }: User): void {
  const used = language()
  messages.queue(tx, {
    kind: userKind.name,
    record: id,
    number: null,
    to: [email],
    cc: [],
    ...texts[used],
    language: used,
    externalId: null,
    metadata: {},
    createdBy: null,
    isAutomatic: true,
    files: [],
  })
  tx.audit("users.forgot-password", id)
}

/** Replaces the link of a user: only the last one works. */
function saveLink(db: Database, user: string, digest: string, expiresAt: string): void {
  db.query(
    `INSERT INTO password_resets (user, digest, expires_at) VALUES (?, ?, ?)
     ON CONFLICT (user) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at`,
  ).run(user, digest, expiresAt)
}

/** Returns the user of a link that is valid now; null without one. */
const findUser = (db: Database, token: string): string | null =>
  valueOf(
    db,
    "SELECT user FROM password_resets WHERE digest = ? AND expires_at > ?",
    digestOf(token),
    real.now(),
  )

const invalidLink = (): Refusal =>
  new Refusal("INVALID_TOKEN", "The link is not valid any more. Ask for a new one.")

/** Sets a new password and ends all sessions of the user. The link works once. */
async function reset(deps: Deps, body: BodyOf<typeof resetBody>, by: Actor): Promise<void> {
  const { db, users, throttle } = deps
  const id = findUser(db, body.token)
  const user = id === null ? null : users.get(id)
  if (!user?.isActive) throw invalidLink()
  // Somebody who can read the mail must not be able to try all codes.
  const attempt = await throttle.begin(user.email, by.ip ?? "", false)
  try {
    await setNewPassword(deps, body, by)
    await attempt.succeed()
  } catch (error) {
    const isWrong = error instanceof Refusal && error.details[0]?.params?.["rule"] === wrongCode
    if (!isWrong) await attempt.cancel().catch(() => {})
    throw error
  }
}

async function setNewPassword(
  { db, writer, users, factors }: Deps,
  { token, newPassword, code }: BodyOf<typeof resetBody>,
  by: Actor,
): Promise<void> {
  const hash = await hashPassword(newPassword, `address:${networkOf(by.ip ?? "")}`)
  await writer((tx) => {
    // It may have been used while the password was hashed.
    const id = findUser(db, token)
    const user = id === null ? null : users.get(id)
    if (!user?.isActive) throw invalidLink()
    factors.useCode(tx, user.id, code, codeIsWrong)
    users.setPassword(tx, user.id, { hash, errors: [] })
    db.query("DELETE FROM password_resets WHERE user = ?").run(user.id)
    tx.audit("users.reset-password", user.id)
  }, by)
}

const wrongCode = "WRONG_CODE"
const codeIsWrong = (): Refusal =>
  invalid("code", "RULE", "is wrong, or was used before; try the next code", { rule: wrongCode })
