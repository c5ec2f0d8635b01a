/** The types of actor that an audit log entry can name. */
export const actorTypes = ["user", "apiKey", "oauthClient", "anonymous", "system"] as const
export type ActorType = (typeof actorTypes)[number]

export const outcomes = ["success", "failure", "refused"] as const
export type Outcome = (typeof outcomes)[number]
