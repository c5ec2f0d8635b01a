import { creditOverrideRoles } from "../../shared/rights"
import { ApiError } from "../../console/api/send"
import type { Role } from "../../console/api/types"
import { confirm } from "../../console/parts/confirm"
import { t } from "./texts"

/** The document and the transition, and the label of the button that overrides the limit. */
type Words = { document: "order" | "invoice"; action: string }

/**
 * Runs a transition that the server rejects if it exceeds the customer's credit limit. Asks users who may override the
 * limit for confirmation. Returns null if they decline.
 */
export async function withinCredit<T>(
  role: Role,
  { document, action }: Words,
  attempt: (override: boolean) => Promise<T>,
): Promise<T | null> {
  try {
    return await attempt(false)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "CREDIT_LIMIT_EXCEEDED") throw error
    // Remove the last sentence of the message. It is for API clients and names a field of the request.
    const message = error.message.replace(/ [^.]*override: true\.$/, "")
    if (!creditOverrideRoles.includes(role))
      throw new ApiError(
        error.status,
        error.code,
        t(($) => $.documents.creditRefused[document], { message }),
      )
    const answer = await confirm({
      title: t(($) => $.documents.creditExceeded),
      text: t(($) => $.documents.creditQuestion[document], { message }),
      action,
    })
    return answer ? attempt(true) : null
  }
}
