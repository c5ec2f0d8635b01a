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
const mostLooks = 100

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
  // Apart, because there are as many pairs and networks as somebody likes to use: they must not push out the others.
  const near = remembered()
  const wide = remembered()

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

  const count = ({ memory, key, limit, found }: Counter): void => {
    found.failures++
    found.last = steadyMillis()
    if (found.failures >= limit) found.blockedUntil = found.last + waitOf(found.waits++)
    memory.keep(key, found)
  }

  return {
    /** Begins a try, or refuses it. `isUsual` says that this mail's owner has signed in from this network before. */
    begin(mail: string, address: string, isUsual: boolean): Attempt {
      const network = networkOf(address)
      const site = siteOf(address)
      // By digest: whatever is sent as a mail takes no more room than another.
      const pairKey = digestOf(`${mailKey(mail)}\n${network}`)
      const counter = (memory: Memory, key: string, limit: number): Counter => ({
        memory,
        key,
        limit,
        found: memory.find(key),
      })
      const pair = counter(near, pairKey, perPair)
      const others = [counter(near, network, perAddress)]
      if (!isUsual) others.push(counter(wide, digestOf(mailKey(mail)), perMail))
      if (!isUsual && site !== null) others.push(counter(wide, site, perSite))
      // Nothing is kept of a try that is refused here, or refused tries would push out what refuses them.
      assertOpen(pair.found, perPair, true)
      for (const { found, limit } of others) assertOpen(found, limit, false)
      for (const each of [pair, ...others]) count(each)
      const undo = ({ found }: Counter) => {
        found.failures = Math.max(0, found.failures - 1)
      }
      return {
        succeed: () => {
          near.forget(pairKey)
          others.forEach(undo)
        },
        takeBack: () => [pair, ...others].forEach(undo),
      }
    },
  }
}

export type LoginThrottle = ReturnType<typeof loginThrottle>

type Memory = ReturnType<typeof remembered>
type Counter = { memory: Memory; key: string; limit: number; found: Tries }

/** Tries by what they have in common, a bounded number of them: the oldest that blocks nobody goes first. */
function remembered() {
  const tries = new Map<string, Tries>()

  const makeRoom = (): void => {
    let looked = 0
    for (const [key, { blockedUntil }] of tries) {
      if (blockedUntil > steadyMillis() && ++looked < mostLooks) continue
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
      if (tries.size > mostRemembered) makeRoom()
    },
    forget: (key: string): void => void tries.delete(key),
  }
}
