import type { Actor } from "../../core/write/writer"
import { verifyNothing, verifyPassword } from "../../core/lib/password"
import type { FailedLogins } from "./failures"
import type { SignInPlaces } from "./places"
import type { LoginThrottle } from "./throttle"

/** No valid password has more UTF-16 units. A longer text is wrong; it is cut, so that its hash takes no more time. */
const longestPassword = 2 * 256

type Deps = { throttle: LoginThrottle; places: SignInPlaces; failures: FailedLogins }

/**
 * The entered credentials. `share` is the user or network that the request counts for; shares take turns at hashing.
 */
type Entered = { email: string; password: string; share: string }

/** Checks a password. Repeated failures are slowed down, and each failure is recorded in the audit log. */
export const passwordCheck =
  ({ throttle, places, failures }: Deps) =>
  async (
    { email, password, share }: Entered,
    found: { id: string; hash: string } | null,
    by: Actor,
  ): Promise<boolean> => {
    const attempt = await throttle.begin(email, by.ip ?? "", found !== null && places.knows(found.id, by))
    try {
      const canMatch = found !== null && password.length <= longestPassword
      const isRight = canMatch
        ? await verifyPassword(found.hash, password, share)
        : await verifyNothing(password.slice(0, longestPassword), share)
      if (isRight) await attempt.succeed()
      else failures.note(by)
      return isRight
    } catch (error) {
      await attempt.cancel().catch(() => {})
      throw error
    }
  }

export type PasswordCheck = ReturnType<typeof passwordCheck>
