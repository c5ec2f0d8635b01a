import type { SettingsService } from "../../settings/service"
import { missingOf, type Smtp } from "../../settings/smtp-field"
import type { OauthClient } from "./oauth"

/** How a server is reached, and how to sign in to it. */
export type Server = Pick<Smtp, "host" | "port" | "security"> & {
  host: string
  auth:
    | { type: "none" }
    | { type: "password"; user: string; password: string }
    | { type: "oauth2"; user: string; client: OauthClient }
}

/** The server of the settings with its secrets, and what it sends with each message. */
export type MailServer = Server & {
  from: string
  fromName: string | null
  replyTo: string | null
  bcc: string | null
  perMinute: number
}

type Settings = Pick<SettingsService, "get" | "secretOf">

/** What the server of the settings lacks before it can send; null without a server. */
export function missingIn({ get, secretOf }: Settings): string[] | null {
  const { smtp } = get()
  return smtp && missingOf(smtp, (path) => secretOf(path) !== null)
}

/** Returns the server of the settings; null if it lacks something. */
export function serverOf(settings: Settings): MailServer | null {
  const { smtp } = settings.get()
  if (!smtp || missingIn(settings)?.length !== 0) return null
  const { host, port, security, from, fromName, replyTo, bcc, perMinute } = smtp
  if (host === null || from === null) return null
  return { host, port, security, from, fromName, replyTo, bcc, perMinute, auth: authOf(smtp, settings) }
}

function authOf({ auth, user, oauth }: Smtp, { secretOf }: Settings): Server["auth"] {
  const name = user ?? ""
  if (auth === "password") return { type: auth, user: name, password: secretOf("smtp.password") ?? "" }
  if (auth === "none") return { type: auth }
  const client = {
    tokenUrl: oauth.tokenUrl ?? "",
    clientId: oauth.clientId ?? "",
    clientSecret: secretOf("smtp.oauth.clientSecret"),
    refreshToken: secretOf("smtp.oauth.refreshToken"),
    scope: oauth.scope,
  }
  return { type: auth, user: name, client }
}
