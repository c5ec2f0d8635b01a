import { actorTypes, type ActorType } from "../../../../shared/audit"
import { words } from "../../format"
import { kindOf, kinds } from "../../kinds"

/** The kinds of audit log entries: all kinds of records that have entries, and a few others. */
export const kindNames: Record<string, string> = {
  ...Object.fromEntries(
    Object.keys(kinds).flatMap((name) => {
      const kind = kindOf(name)
      const title = kind?.auditTitle === undefined ? kind?.title : kind.auditTitle
      return title ? [[name, title]] : []
    }),
  ),
  auth: "Failed sign-ins",
  backups: "Backups",
  access: "Refused access",
}

/** Returns the title of a kind, or its name if it has no title. */
export const kindInWords = (kind: string): string => kindNames[kind] ?? words(kind)

const actorWords: Record<ActorType, string> = {
  user: "User",
  apiKey: "API key",
  oauthClient: "Connected app",
  anonymous: "Anonymous",
  system: "System",
}

/** The options of the actor filter. */
export const actorChoices = actorTypes.map((value) => ({ value, label: actorWords[value] }))

export const actorTypeInWords = (type: ActorType): string => actorWords[type]

const actions: Record<string, string> = {
  create: "Create",
  count: "Stock count",
  update: "Update",
  delete: "Delete",
  status: "Status change",
  rotate: "Key or secret rotated",
  payment: "Payment recorded",
  "payment-removed": "Payment deleted",
  "set-password": "Password change",
  login: "Sign-in",
  logout: "Sign-out",
  "logout-all": "Sign-out on all devices",
  "refresh-reuse": "Refresh token reused",
  refused: "Access refused",
  grant: "App connected",
  withdraw: "App disconnected",
  token: "Tokens issued to an app",
  revoke: "Tokens revoked by an app",
  "code-reuse": "Authorization code reused",
}

/** items.update → Update. An action without a title is shown by its name. */
export function actionInWords(action: string): string {
  const verb = action.split(".").at(-1) ?? action
  return actions[verb] ?? words(verb.replaceAll("-", " "))
}

/** Returns the path of a record's page, or null if it has none. */
export const recordPathOf = (kind: string | null, id: string | null): string | null =>
  (kind && id && kindOf(kind)?.recordPath?.(id)) || null
