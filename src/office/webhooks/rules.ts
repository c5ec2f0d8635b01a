import { fieldError, type FieldError } from "../../core/lib/refusal"

export const mostWebhooks = 100

/** Limits the number of webhooks, because each gets every event. */
export const countErrors = (count: number): FieldError[] =>
  count < mostWebhooks
    ? []
    : [
        fieldError(
          "url",
          "RULE",
          `cannot be added: there are ${mostWebhooks} webhooks, which is the maximum; delete one first`,
          {
            rule: "TOO_MANY",
            max: mostWebhooks,
          },
        ),
      ]

/** The error of a webhook that has no secret, because the database was restored. */
export const noSecret = (field: string): FieldError =>
  fieldError(field, "RULE", "needs a secret, which a restored database does not have; rotate it first", {
    rule: "NO_SECRET",
  })
