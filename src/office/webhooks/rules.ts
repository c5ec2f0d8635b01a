import { fieldError, type FieldError } from "../../core/lib/refusal"

/** The time for which the secret before a rotation is still used, in milliseconds. */
export const previousFor = 24 * 3_600_000

export const mostWebhooks = 100
/** The webhooks of one user. Only admins who signed in are not limited to it, so that no user takes the places of all. */
export const mostOfUser = 10

/** Limits the number of webhooks, because each gets every event. `own` is null for a caller who is not limited. */
export function countErrors({ all, own }: { all: number; own: number | null }): FieldError[] {
  if (all >= mostWebhooks) return [tooMany(`there are ${mostWebhooks} webhooks`, mostWebhooks)]
  return own !== null && own >= mostOfUser ? [tooMany(`you have ${mostOfUser} webhooks`, mostOfUser)] : []
}

const tooMany = (why: string, max: number): FieldError =>
  fieldError("url", "RULE", `cannot be added: ${why}, which is the maximum; delete one first`, {
    rule: "TOO_MANY",
    max,
  })

/** The error of a webhook that has no secret, because the database was restored. */
export const noSecret = (field: string): FieldError =>
  fieldError(field, "RULE", "needs a secret, which a restored database does not have; rotate it first", {
    rule: "NO_SECRET",
  })
