/** Who can have done what the audit log tells. */
export const actorTypes = ["user", "apiKey", "oauthClient", "anonymous", "system"] as const
export type ActorType = (typeof actorTypes)[number]

export const outcomes = ["success", "failure", "refused"] as const
