import { networkOf, siteOf } from "../../core/http/request/address"
import { Refusal } from "../../core/lib/refusal"
import { digestOf } from "../../core/lib/secret"
import { mailKey } from "../../core/lib/text"
import { type Tries, triesInMemory, type TriesStore, window } from "./tries"
import { type Actor, auditEntry } from "../../core/write/writer"
import type { AuditSums } from "../audit/sums"
import type { Database } from "../../core/engine/engine"
import { real } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { deletePlacesBefore, hasPlace, writePlace } from "./store"

const perPair = 5
const perNetwork = 30
const perEmail = 30
const perSite = 60
const firstWait = 30_000

/** One attempt with a password. It counts as failed until the password is known to be right. */
export type Attempt = {
  /** Call it when the password was right. It deletes the failures of this email and network. */
  succeed(): Promise<void>
  /** Call it when the password was not checked, for example because too many callers sign in at the same time. */
  cancel(): Promise<void>
}

/**
 * Slows down password guessing. After 5 failures for one email from one network, or 30 from one network, each further
 * attempt waits longer. The same applies after 30 failures for one email from anywhere, or 60 from one site (an IPv6
 * /48), but not from a network where the owner of the email has signed in before, because others must not lock the
 * owner out. Only failures count, and a success deletes the failures of its email and network. An attempt counts from
 * its beginning, so that concurrent attempts do not bypass the limit. Unknown emails count like known ones. The counters
 * are in memory, or in the database for all servers that share it.
 */
export function loginThrottle({ near, wide, run }: TriesStore = triesInMemory()) {
  return {
    /**
     * Begins an attempt, or refuses it. `isUsual` means that the owner of the email has signed in from this network
     * before.
     */
    async begin(email: string, address: string, isUsual: boolean): Promise<Attempt> {
      const network = networkOf(address)
      // A digest, so that a long email takes no more memory than a short one.
      const pair = { tries: near, key: digestOf(`${mailKey(email)}\n${network}`), limit: perPair }
      const others: Counter[] = [{ tries: near, key: network, limit: perNetwork }]
      if (!isUsual) others.push(...wideCounters(wide, email, address))
      const refusal = await run(() => beginNow(pair, others))
      if (refusal) throw refusal
      return {
        succeed: () =>
          run(() => {
            near.forget(pair.key)
            others.forEach(undo)
          }),
        cancel: () => run(() => [pair, ...others].forEach(undo)),
      }
    },
  }
}

export type LoginThrottle = ReturnType<typeof loginThrottle>

type Counter = { tries: Tries; key: string; limit: number }

/** Counts an attempt, or returns why it is refused: not as an error, because what it has stored must stay. */
function beginNow(pair: Counter, others: readonly Counter[]): Refusal | null {
  // A refused attempt is not stored, because many of them would evict the counters that refuse them.
  const refusal = refusalOf(pair, true) ?? others.map((each) => refusalOf(each, false)).find(Boolean)
  if (refusal) return refusal
  for (const counter of [pair, ...others]) count(counter)
  return null
}

/** The counters that do not apply where the owner of the email usually signs in. */
function wideCounters(tries: Tries, email: string, address: string): Counter[] {
  const site = siteOf(address)
  const counters = [{ tries, key: digestOf(mailKey(email)), limit: perEmail }]
  return site === null ? counters : [...counters, { tries, key: site, limit: perSite }]
}

const waitOf = (waits: number) => Math.min(window, firstWait * 2 ** waits)

/** `grows` means that a refused attempt makes the wait longer. One user must not extend the wait of a whole network. */
function refusalOf({ tries, key, limit }: Counter, grows: boolean): Refusal | null {
  const [now, found] = [tries.now(), tries.find(key)]
  if (found.failures < limit || now >= found.blockedUntil) return null
  if (grows) {
    found.blockedUntil = now + waitOf(found.waits++)
    tries.keep(key, found)
  }
  const wait = Math.ceil((found.blockedUntil - now) / 1000)
  return new Refusal("RATE_LIMIT_EXCEEDED", `Too many wrong passwords. Try again in ${wait} s.`, {
    params: { retryAfter: wait },
    headers: { "retry-after": String(wait) },
  })
}

function count({ tries, key, limit }: Counter): void {
  const found = tries.find(key)
  found.failures++
  found.last = tries.now()
  if (found.failures >= limit) found.blockedUntil = found.last + waitOf(found.waits++)
  tries.keep(key, found)
}

function undo({ tries, key }: Counter): void {
  const found = tries.find(key)
  if (found.failures > 0) tries.keep(key, { ...found, failures: found.failures - 1 })
}

/** Failed sign-ins for the audit log. They are summed, so that many guesses do not fill the file. */
export const failedLogins = (sums: AuditSums) => ({
  note: (by: Actor): void => sums.note(auditEntry("auth.login", null, {}, { outcome: "failure" }), by),
})

export type FailedLogins = ReturnType<typeof failedLogins>

const memory = 90 * 24 * 60 * 60_000
const mostPerUser = 50

/** The networks from which each user signed in recently. A sign-in from one of them is unlikely to be a guess. */
export function signInPlaces(db: Database) {
  const since = () => later(real.now(), -memory)
  return {
    knows: (user: string, { ip }: Actor): boolean =>
      ip !== null && hasPlace(db, user, networkOf(ip), since()),

    /** Runs inside the write of a sign-in. */
    note(user: string, { ip }: Actor): void {
      if (ip !== null) writePlace(db, { user, network: networkOf(ip), at: real.now() }, mostPerUser)
    },

    /** Maintenance: deletes the networks from which nobody has signed in for a long time. */
    deleteExpired: (): void => deletePlacesBefore(db, since()),
  }
}

export type SignInPlaces = ReturnType<typeof signInPlaces>
