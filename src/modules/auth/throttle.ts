import { networkOf } from "../../http/address"
import { steadyMillis } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"
import { digestOf } from "../../lib/secret"
import { lower, tidy } from "../../lib/text"

const window = 15 * 60_000
const perPair = 5
const perAddress = 30
const firstWait = 30_000
const mostRemembered = 20_000

type Tries = { failures: number; blockedUntil: number; waits: number; last: number }

/** One try at a password: taken as failed until it is known to be right. */
export type Attempt = {
  /** The password was right: its pair starts afresh. */
  succeed(): void
  /** It was never looked at, as when too many sign in at once. */
  takeBack(): void
}

/**
 * Slows down guessing: after 5 failures of one mail from one network, or 30 from one network, each further try waits
 * longer. Only failures count, and a success forgets those of its pair. A try counts from the moment it begins, so
 * that many at once are no way around; unknown mails count like known ones.
 */
export function loginThrottle() {
  const tries = new Map<string, Tries>()

  const find = (key: string): Tries => {
    const found = tries.get(key)
    if (found && steadyMillis() - found.last < window) return found
    const fresh = { failures: 0, blockedUntil: 0, waits: 0, last: steadyMillis() }
    tries.delete(key)
    tries.set(key, fresh)
    if (tries.size > mostRemembered) tries.delete(tries.keys().next().value ?? "")
    return fresh
  }

  const waitOf = (waits: number) => Math.min(window, firstWait * 2 ** waits)

  const assertOpen = (found: Tries, limit: number, grows: boolean): void => {
    const now = steadyMillis()
    if (found.failures < limit || now >= found.blockedUntil) return
    // Whoever goes on with the same mail waits longer; a whole network is not held by one who does.
    if (grows) found.blockedUntil = now + waitOf(found.waits++)
    const wait = Math.ceil((found.blockedUntil - now) / 1000)
    throw new Refusal("RATE_LIMIT_EXCEEDED", `Too many wrong passwords. Try again in ${wait} s.`, {
      headers: { "retry-after": String(wait) },
    })
  }

  const count = (found: Tries, limit: number): void => {
    found.failures++
    found.last = steadyMillis()
    if (found.failures >= limit) found.blockedUntil = found.last + waitOf(found.waits++)
  }

  return {
    /** Begins a try, or refuses it. */
    begin(mail: string, address: string): Attempt {
      const network = networkOf(address)
      // By digest: whatever is sent as a mail takes no more room than another.
      const pairKey = digestOf(`${lower(tidy(mail))}\n${network}`)
      const pair = find(pairKey)
      const all = find(network)
      assertOpen(pair, perPair, true)
      assertOpen(all, perAddress, false)
      count(pair, perPair)
      count(all, perAddress)
      const undo = (found: Tries) => {
        found.failures = Math.max(0, found.failures - 1)
      }
      return {
        succeed: () => {
          tries.delete(pairKey)
          undo(all)
        },
        takeBack: () => {
          undo(pair)
          undo(all)
        },
      }
    },
  }
}

export type LoginThrottle = ReturnType<typeof loginThrottle>
