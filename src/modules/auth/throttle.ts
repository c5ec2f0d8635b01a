import { steadyMillis } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"

const window = 15 * 60_000
const perPair = 5
const perAddress = 30
const firstWait = 30_000
const mostRemembered = 20_000

type Tries = { failures: number; refused: number; blockedUntil: number; last: number }

/**
 * Slows down guessing: after 5 failures of one mail from one address, or 30 from one address, each further try waits
 * longer. Only failures count, and a success forgets those of its pair. Unknown mails count like known ones.
 */
export function loginThrottle() {
  const tries = new Map<string, Tries>()

  const find = (key: string): Tries | null => {
    const found = tries.get(key)
    if (!found) return null
    if (steadyMillis() - found.last < window) return found
    tries.delete(key)
    return null
  }

  const assertOpen = (key: string, limit: number): void => {
    const found = find(key)
    if (!found || found.failures < limit) return
    const now = steadyMillis()
    if (found.blockedUntil === Infinity) found.blockedUntil = now + firstWait
    if (now >= found.blockedUntil) return
    found.refused++
    found.last = now
    found.blockedUntil = now + Math.min(window, firstWait * 2 ** (found.refused - 1))
    const wait = Math.ceil((found.blockedUntil - now) / 1000)
    throw new Refusal("RATE_LIMIT_EXCEEDED", `Too many wrong passwords. Try again in ${wait} s.`, {
      headers: { "retry-after": String(wait) },
    })
  }

  const addFailure = (key: string): void => {
    const found = find(key) ?? { failures: 0, refused: 0, blockedUntil: Infinity, last: 0 }
    found.failures++
    found.last = steadyMillis()
    if (found.blockedUntil !== Infinity)
      found.blockedUntil = found.last + Math.min(window, firstWait * 2 ** found.refused)
    tries.delete(key)
    tries.set(key, found)
    if (tries.size > mostRemembered) tries.delete(tries.keys().next().value ?? "")
  }

  const pairOf = (mail: string, address: string) => `${mail.toLowerCase()}\n${address}`

  return {
    assertOpen(mail: string, address: string): void {
      assertOpen(pairOf(mail, address), perPair)
      assertOpen(address, perAddress)
    },
    addFailure(mail: string, address: string): void {
      addFailure(pairOf(mail, address))
      addFailure(address)
    },
    addSuccess(mail: string, address: string): void {
      tries.delete(pairOf(mail, address))
    },
  }
}

export type LoginThrottle = ReturnType<typeof loginThrottle>
