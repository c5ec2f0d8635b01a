import { creditOverrideRoles } from "../../../shared/rights"
import { ApiError } from "../api/send"
import type { Role } from "../api/types"
import { confirm } from "../parts/confirm"

/** The words for the document and for the step, as on its page. */
type Words = { document: "order" | "invoice"; verb: "submit" | "issue"; action: string }

/**
 * Takes a step that the server refuses when it is over the customer's credit limit. A person who may pass the limit is
 * then asked; null when they decline.
 */
export async function withinCredit<T>(
  role: Role,
  { document, verb, action }: Words,
  attempt: (override: boolean) => Promise<T>,
): Promise<T | null> {
  try {
    return await attempt(false)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "CREDIT_LIMIT_EXCEEDED") throw error
    // The last sentence is for programs: it names a field of the request.
    const message = error.message.replace(/ [^.]*override: true\.$/, "")
    if (!creditOverrideRoles.includes(role))
      throw new ApiError(
        error.status,
        error.code,
        `${message} The ${document} stays a draft; a manager can ${verb} it anyway.`,
      )
    const answer = await confirm({
      title: "Over the credit limit",
      text: `${message} The ${document} stays a draft unless you ${verb} it anyway.`,
      action,
    })
    return answer ? attempt(true) : null
  }
}
