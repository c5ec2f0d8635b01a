// How a client signs in and keeps its session. `kontor client` prints what follows the line.
import { KontorError, responseOf, senderOf } from "./runtime"
import type { ClientOptions, Session, Tokens } from "./shapes"
export { sessionOf }
/** Imported as a text, this file is its text. */
export default ""
// ------------------------------------------------------------------------------------------------------------------

/** How long before its end a token is refreshed, in seconds. */
const refreshMargin = 60

/** The session of a client that signs in. Calls that need a new token at the same time wait for one refresh. */
function sessionOf(client: ClientOptions): Session | null {
  const { signIn, onTokens } = client
  if (!signIn) return null
  const send = senderOf(client, null)
  let refreshToken = signIn.refreshToken
  let current: { token: string; until: number } | null = null
  let pending: Promise<string> | null = null

  const person = "email" in signIn ? { email: signIn.email, password: signIn.password } : null
  const granted = (name: "login" | "refresh", body: object) =>
    send<Tokens>("POST", `/api/v1/auth/${name}`, { body, isHarmless: true })

  const refreshed = (refreshToken: string): Promise<Tokens> =>
    "clientId" in signIn
      ? tokensOfApp(client, { ...signIn, refreshToken })
      : granted("refresh", { refreshToken })

  const renewed = async (): Promise<Tokens> => {
    if (refreshToken === undefined) return granted("login", person ?? {})
    try {
      return await refreshed(refreshToken)
    } catch (error) {
      const hasEnded = error instanceof KontorError && error.status === 401
      if (!hasEnded || person === null) throw error
      return granted("login", person)
    }
  }

  const renew = async (): Promise<string> => {
    const { token, expiresIn, ...rest } = await renewed()
    refreshToken = rest.refreshToken
    const valid = Math.max(expiresIn - refreshMargin, expiresIn / 2)
    current = { token, until: Date.now() + valid * 1000 }
    await onTokens?.({ token, refreshToken, expiresIn })
    return token
  }

  return {
    token() {
      if (current !== null && Date.now() < current.until) return Promise.resolve(current.token)
      pending ??= renew().finally(() => (pending = null))
      return pending
    },
    drop(token) {
      if (current?.token === token) current = null
    },
  }
}

/** Refreshes the tokens of an app, as OAuth defines it. */
async function tokensOfApp(
  client: ClientOptions,
  { refreshToken, clientId, clientSecret }: { refreshToken: string; clientId: string; clientSecret?: string },
): Promise<Tokens> {
  const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken })
  form.set("client_id", clientId)
  if (clientSecret !== undefined) form.set("client_secret", clientSecret)
  const body = new Blob([form.toString()], { type: "application/x-www-form-urlencoded" })
  const response = await responseOf(client, null, "POST", "/oauth/token", { body, isHarmless: true })
  const answer = await response.json().catch(() => ({}))
  if (response.ok)
    return {
      token: answer.access_token,
      refreshToken: answer.refresh_token ?? refreshToken,
      expiresIn: answer.expires_in,
    }
  const message = answer.error_description ?? `The tokens were refused with status ${response.status}.`
  throw new KontorError(response.status, { code: "INVALID_REFRESH_TOKEN", message }, response.headers)
}
