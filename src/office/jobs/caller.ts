import { actorOf, callerOf, type Call } from "../../core/http/request/call"
import type { JobCaller } from "./model"

/** Returns who a job works for: the caller of the request that starts it. */
export function jobCallerOf(call: Call): JobCaller {
  const { kind, userId, credentialId, secretTag, scopes } = callerOf(call)
  return { kind, userId, credentialId, ...(secretTag ? { secretTag } : {}), scopes, actor: actorOf(call) }
}
