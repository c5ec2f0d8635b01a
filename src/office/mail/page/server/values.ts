import type { Smtp } from "../../../settings/smtp-field"
import { emptyAsNull } from "../../../../console/forms/body"

/** The values of the form of the server. The secrets are what was typed: no response has those that are saved. */
export const serverValuesOf = (smtp: Smtp | null) => ({
  host: smtp?.host ?? "",
  port: String(smtp?.port ?? 587),
  security: smtp?.security ?? ("starttls" as const),
  auth: smtp?.auth ?? ("password" as const),
  user: smtp?.user ?? "",
  password: "",
  oauth: {
    tokenUrl: smtp?.oauth.tokenUrl ?? "",
    clientId: smtp?.oauth.clientId ?? "",
    clientSecret: "",
    refreshToken: "",
    scope: smtp?.oauth.scope ?? "",
  },
  from: smtp?.from ?? "",
  fromName: smtp?.fromName ?? "",
  replyTo: smtp?.replyTo ?? "",
  bcc: smtp?.bcc ?? "",
  perMinute: String(smtp?.perMinute ?? 30),
})

export type ServerValues = ReturnType<typeof serverValuesOf>

/** Other text is sent too, and the server rejects it. */
const wholeNumber = (text: string): number | string => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : text)

/** Returns the server for the request body. A secret that was left empty is left out, which keeps the one that is saved. */
export function serverBodyOf(values: ServerValues) {
  const { password, oauth, port, perMinute, ...rest } = values
  const { clientSecret, refreshToken, ...client } = oauth
  return {
    ...emptyAsNull({ ...rest, port: wholeNumber(port), perMinute: wholeNumber(perMinute) }),
    ...(password && { password }),
    oauth: {
      ...emptyAsNull(client),
      ...(clientSecret && { clientSecret }),
      // An app that signs in by itself must not go on with the token of a person.
      ...(clientSecret && oauth.scope.endsWith("/.default") && { refreshToken: null }),
      ...(refreshToken && { refreshToken }),
    },
  }
}
