import { networkOf, siteOf } from "../../http/address"
import { steadyMillis } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"
import { digestOf } from "../../lib/secret"
import { mailKey } from "../../lib/text"

const window = 15 * 60_000
const perPair = 5
const perAddress = 30
const perMail = 30
const perSite = 60
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
 * longer. So it does after 30 of one mail from anywhere, or 60 from one site (an IPv6 /48), but not where the owner of the mail
 * has signed in before: strangers must not lock the owner out. Only failures count, and a success forgets those of its
 * pair. A try counts from the moment it begins, so that many at once are no way around; unknown mails count like known ones.
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
    /** Begins a try, or refuses it. `isUsual` says that this mail's owner has signed in from this network before. */
    begin(mail: string, address: string, isUsual: boolean): Attempt {
      const network = networkOf(address)
      const site = siteOf(address)
      // By digest: whatever is sent as a mail takes no more room than another.
      const pairKey = digestOf(`${mailKey(mail)}\n${network}`)
      const pair = find(pairKey)
      const others: [Tries, number][] = [[find(network), perAddress]]
      if (!isUsual) others.push([find(digestOf(mailKey(mail))), perMail])
      if (!isUsual && site !== null) others.push([find(site), perSite])
      assertOpen(pair, perPair, true)
      for (const [found, limit] of others) assertOpen(found, limit, false)
      count(pair, perPair)
      for (const [found, limit] of others) count(found, limit)
      const undo = (found: Tries) => {
        found.failures = Math.max(0, found.failures - 1)
      }
      const undoOthers = () => others.forEach(([found]) => undo(found))
      return {
        succeed: () => {
          tries.delete(pairKey)
          undoOthers()
        },
        takeBack: () => {
          undo(pair)
          undoOthers()
        },
      }
    },
  }
}

export type LoginThrottle = ReturnType<typeof loginThrottle>
