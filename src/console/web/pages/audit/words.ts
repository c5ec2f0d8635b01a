import { actorTypes, type ActorType } from "../../../../shared/audit"
import { words } from "../../format"
import { kindOf, kinds } from "../../kinds"

/** What an entry can be about: every kind that has entries, and what is no kind of record. */
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

/** A kind without words of its own is shown by its name. */
export const kindInWords = (kind: string): string => kindNames[kind] ?? words(kind)

const actorWords: Record<ActorType, string> = {
  user: "User",
  apiKey: "API key",
  oauthClient: "Connected app",
  anonymous: "Unknown",
  system: "Kontor itself",
}

/** Who did something, as the filter offers it. */
export const actorChoices = actorTypes.map((value) => ({ value, label: actorWords[value] }))

export const actorTypeInWords = (type: ActorType): string => actorWords[type]

const actions: Record<string, string> = {
  create: "Create",
  update: "Change",
  delete: "Delete",
  status: "Change of status",
  rotate: "New key text or secret",
  payment: "Payment",
  "payment-removed": "Payment removed",
  "set-password": "New password",
  login: "Sign-in",
  logout: "Sign-out",
  "logout-all": "Sign-out everywhere",
  "refresh-reuse": "Old sign-in used again",
  refused: "Access refused",
  grant: "App connected",
  withdraw: "App disconnected",
  token: "Tokens given to an app",
  revoke: "Tokens given back by an app",
  "code-reuse": "Old code used again",
}

/** items.update → Change. An action without words of its own is shown by its name. */
export function actionInWords(action: string): string {
  const verb = action.split(".").at(-1) ?? action
  return actions[verb] ?? words(verb.replaceAll("-", " "))
}

/** The page of a record, where it has one. */
export const placeOf = (kind: string | null, id: string | null): string | null =>
  (kind && id && kindOf(kind)?.recordPath?.(id)) || null
