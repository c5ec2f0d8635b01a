import { networkOf, siteOf } from "../../http/address"
import { steadyMillis } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"
import { digestOf } from "../../lib/secret"
import { mailKey } from "../../lib/text"

const window = 15 * 60_000
const perPair = 5
const perNetwork = 30
const perEmail = 30
const perSite = 60
const firstWait = 30_000
const mostRemembered = 20_000
const mostSkipped = 100

type Tries = { failures: number; blockedUntil: number; waits: number; last: number }

/** One attempt with a password. It counts as failed until the password is known to be right. */
export type Attempt = {
  /** Call it when the password was right. It deletes the failures of this email and network. */
  succeed(): void
  /** Call it when the password was not checked, for example because too many callers sign in at the same time. */
  cancel(): void
}

/**
 * Slows down password guessing. After 5 failures for one email from one network, or 30 from one network, each further
 * attempt waits longer. The same applies after 30 failures for one email from anywhere, or 60 from one site (an IPv6
 * /48), but not from a network where the owner of the email has signed in before, because others must not lock the
 * owner out. Only failures count, and a success deletes the failures of its email and network. An attempt counts from
 * its beginning, so that concurrent attempts do not bypass the limit. Unknown emails count like known ones.
 */
export function loginThrottle() {
  // Two separate maps, because anyone can use any number of email addresses and networks. Their counters must not evict
  // those in `wide`.
  const near = triesByKey()
  const wide = triesByKey()
  return {
    /**
     * Begins an attempt, or refuses it. `isUsual` means that the owner of the email has signed in from this network
     * before.
     */
    begin(email: string, address: string, isUsual: boolean): Attempt {
      const network = networkOf(address)
      // A digest, so that a long email takes no more memory than a short one.
      const pair = counterOf(near, digestOf(`${mailKey(email)}\n${network}`), perPair)
      const others = [counterOf(near, network, perNetwork)]
      if (!isUsual) others.push(...wideCounters(wide, email, address))
      // A refused attempt is not stored, because many of them would evict the counters that refuse them.
      assertOpen(pair, true)
      for (const counter of others) assertOpen(counter, false)
      for (const counter of [pair, ...others]) count(counter)
      return {
        succeed: () => {
          near.forget(pair.key)
          others.forEach(undo)
        },
        cancel: () => [pair, ...others].forEach(undo),
      }
    },
  }
}

export type LoginThrottle = ReturnType<typeof loginThrottle>

type Memory = ReturnType<typeof triesByKey>
type Counter = { memory: Memory; key: string; limit: number; found: Tries }

const counterOf = (memory: Memory, key: string, limit: number): Counter => ({
  memory,
  key,
  limit,
  found: memory.find(key),
})

/** The counters that do not apply where the owner of the email usually signs in. */
function wideCounters(wide: Memory, email: string, address: string): Counter[] {
  const site = siteOf(address)
  const counters = [counterOf(wide, digestOf(mailKey(email)), perEmail)]
  return site === null ? counters : [...counters, counterOf(wide, site, perSite)]
}

const waitOf = (waits: number) => Math.min(window, firstWait * 2 ** waits)

/** `grows` means that a refused attempt makes the wait longer. One user must not extend the wait of a whole network. */
function assertOpen({ found, limit }: Counter, grows: boolean): void {
  const now = steadyMillis()
  if (found.failures < limit || now >= found.blockedUntil) return
  if (grows) found.blockedUntil = now + waitOf(found.waits++)
  const wait = Math.ceil((found.blockedUntil - now) / 1000)
  throw new Refusal("RATE_LIMIT_EXCEEDED", `Too many wrong passwords. Try again in ${wait} s.`, {
    params: { retryAfter: wait },
    headers: { "retry-after": String(wait) },
  })
}

function count({ memory, key, limit, found }: Counter): void {
  found.failures++
  found.last = steadyMillis()
  if (found.failures >= limit) found.blockedUntil = found.last + waitOf(found.waits++)
  memory.keep(key, found)
}

function undo({ found }: Counter): void {
  found.failures = Math.max(0, found.failures - 1)
}

/** Counters by key. Their number is limited: the oldest counter that does not block is deleted first. */
function triesByKey() {
  const tries = new Map<string, Tries>()

  const evictOne = (): void => {
    let skipped = 0
    for (const [key, { blockedUntil }] of tries) {
      if (blockedUntil > steadyMillis() && ++skipped < mostSkipped) continue
      tries.delete(key)
      return
    }
  }
  return {
    find(key: string): Tries {
      const found = tries.get(key)
      if (found && steadyMillis() - found.last < window) return found
      return { failures: 0, blockedUntil: 0, waits: 0, last: steadyMillis() }
    },
    keep(key: string, found: Tries): void {
      tries.set(key, found)
      if (tries.size > mostRemembered) evictOne()
    },
    forget: (key: string): void => void tries.delete(key),
  }
}
