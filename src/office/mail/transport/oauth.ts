import { steadyMillis } from "../../../core/lib/clock"
import type { Network } from "../../webhooks/addresses"
import { NoResponse } from "../../webhooks/failure"
import { sendTo } from "../../webhooks/request"

/** What a client needs to get access tokens. */
export type OauthClient = {
  tokenUrl: string
  clientId: string
  clientSecret: string | null
  refreshToken: string | null
  scope: string | null
}

/** Why there is no access token: a sentence for the admin. */
export class NoToken extends Error {}

/** Tokens of the largest providers have a few thousand characters. */
const mostBytes = 32_768
/** A token is not used when it ends within this time, in milliseconds. */
const leeway = 60_000
/** How long a token is used whose response does not say it, in milliseconds. */
const usualLifetime = 300_000

type Known = { client: string; token: string; until: number }

/**
 * Gets access tokens, and keeps the last one until it expires. `onRenewed` is called with a new refresh token, which some
 * providers return each time.
 */
export function accessTokens(onRenewed: (before: string, after: string) => void) {
  let known: Known | null = null
  return async (
    client: OauthClient,
    network: Network,
    signal: AbortSignal,
    isRenewed: boolean,
  ): Promise<string> => {
    const key = JSON.stringify(client)
    if (!isRenewed && known?.client === key && known.until > steadyMillis()) return known.token
    known = null
    const { token, lifetime, refreshToken } = await request(client, network, signal)
    const isRotated =
      client.refreshToken !== null && refreshToken !== null && refreshToken !== client.refreshToken
    if (isRotated && client.refreshToken !== null && refreshToken !== null)
      onRenewed(client.refreshToken, refreshToken)
    const used = isRotated ? JSON.stringify({ ...client, refreshToken }) : key
    known = { client: used, token, until: steadyMillis() + lifetime - leeway }
    return token
  }
}

export type AccessTokens = ReturnType<typeof accessTokens>

/** Without a refresh token, the client gets a token by its own credentials. */
const formOf = ({ clientId, clientSecret, refreshToken, scope }: OauthClient): URLSearchParams =>
  new URLSearchParams({
    grant_type: refreshToken === null ? "client_credentials" : "refresh_token",
    client_id: clientId,
    ...(clientSecret === null ? {} : { client_secret: clientSecret }),
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    ...(scope === null ? {} : { scope }),
  })

async function request(client: OauthClient, network: Network, signal: AbortSignal) {
  const outgoing = {
    url: client.tokenUrl,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: formOf(client).toString(),
    keeps: mostBytes,
  }
  const { status, text } = await sendTo(outgoing, network, signal).catch((error: unknown) => {
    throw new NoToken(
      `There is no access token: ${error instanceof NoResponse ? error.message : "the request failed."}`,
    )
  })
  const answer = readAnswer(text)
  if (status === 200 && typeof answer.access_token === "string" && isPrintable(answer.access_token)) {
    const { expires_in: seconds, refresh_token: refreshToken } = answer
    return {
      token: answer.access_token,
      lifetime: typeof seconds === "number" && seconds > 0 ? seconds * 1_000 : usualLifetime,
      refreshToken: typeof refreshToken === "string" && refreshToken !== "" ? refreshToken : null,
    }
  }
  // The description may repeat what was sent, so that only the code of RFC 6749 is shown.
  const { error } = answer
  const code = typeof error === "string" && /^[\x20-\x7e]{1,80}$/.test(error) ? ` and ${error}` : ""
  throw new NoToken(`There is no access token: the server of the tokens answered with ${status}${code}.`)
}

/** A token is sent in a line of the protocol. */
const isPrintable = (token: string): boolean => /^[\x21-\x7e]+$/.test(token)

function readAnswer(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
