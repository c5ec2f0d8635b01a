import * as oidc from "openid-client"
import { steadyMillis } from "../../core/lib/clock"
import { isLoopback, keyOf, type SignInProvider } from "../settings/sign-in-with"
import type { Network } from "../webhooks/addresses"
import { NoResponse } from "../webhooks/failure"
import { sendTo } from "../webhooks/request"

/** What a provider says about somebody. */
export type Claims = { sub: string; [claim: string]: unknown }

/** What a sign-in leads to. */
export type Told = { issuer: string; claims: Claims; refreshToken: string | null }

/** The provider refuses, or what it says is not valid: nobody signs in with that. */
export class NotProved extends Error {}

/** The provider does not answer. Later it may. */
export class NoProvider extends Error {}

/** Values that only the browser that has begun can know. */
export type Proofs = { state: string; nonce: string; verifier: string }

/** The keys of a provider are a few kilobytes. */
const mostBytes = 256 * 1024
const keptFor = 10 * 60_000
const failedFor = 5_000
const mostKnown = 20
/** A redirect from the browser to a port of the provider is only for its own machine. */
const mayVisit = (url: URL): boolean =>
  url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))

/** Speaks to OpenID providers. What they say about themselves is kept for some minutes. */
export function providers(network: Network) {
  const known = new Map<string, { config: Promise<oidc.Configuration>; until: number }>()

  const configOf = (provider: SignInProvider, secret: string): Promise<oidc.Configuration> => {
    const key = `${keyOf(provider)} ${secret}`
    const found = known.get(key)
    if (found && found.until > steadyMillis()) return found.config
    const made = { config: discover(provider, secret, network), until: steadyMillis() + keptFor }
    if (known.size >= mostKnown) known.delete(known.keys().next().value ?? "")
    known.set(key, made)
    // Repeated requests must not make the server ask a provider again that does not answer.
    made.config.catch(() => (made.until = steadyMillis() + failedFor))
    return made.config
  }

  return {
    /** The address to which a browser is sent. */
    begin: (provider: SignInProvider, secret: string, redirectUri: string, proofs: Proofs): Promise<URL> =>
      explained(async () => {
        const url = oidc.buildAuthorizationUrl(await configOf(provider, secret), {
          redirect_uri: redirectUri,
          scope: provider.scopes,
          state: proofs.state,
          nonce: proofs.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(proofs.verifier),
          code_challenge_method: "S256",
        })
        if (!mayVisit(url)) throw new NotProved("The provider has an address without https.")
        return url
      }),

    /** Who has come back with this URL. */
    finish: (provider: SignInProvider, secret: string, url: URL, proofs: Proofs): Promise<Told> =>
      explained(async () => {
        const config = await configOf(provider, secret)
        const tokens = await oidc.authorizationCodeGrant(config, url, {
          expectedState: proofs.state,
          expectedNonce: proofs.nonce,
          pkceCodeVerifier: proofs.verifier,
          idTokenExpected: true,
        })
        return told(config, provider, tokens)
      }),

    /** The same person again, without a browser. */
    renew: (provider: SignInProvider, secret: string, refreshToken: string, subject: string): Promise<Told> =>
      explained(async () => {
        const config = await configOf(provider, secret)
        const tokens = await oidc.refreshTokenGrant(config, refreshToken)
        return told(config, provider, tokens, subject)
      }),
  }
}

export type Providers = ReturnType<typeof providers>

async function discover({ issuer, clientId }: SignInProvider, secret: string, network: Network) {
  const config = await oidc.discovery(new URL(issuer), clientId, {}, credentialOf(secret), {
    [oidc.customFetch]: guarded(network),
    // Without the first, the library trusts the connection and does not look at the signature of a token.
    execute: [
      oidc.enableNonRepudiationChecks,
      ...(isLoopback(new URL(issuer)) ? [oidc.allowInsecureRequests] : []),
    ],
  })
  config[oidc.customFetch] = guarded(network)
  return config
}

/** Sends the secret as the provider takes it: in the header, unless it takes it only in the body. */
const credentialOf =
  (secret: string): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isPost = methods?.includes("client_secret_post") && !methods.includes("client_secret_basic")
    if (isPost) oidc.ClientSecretPost(secret)(server, client, body, headers)
    else headers.set("authorization", `Basic ${btoa(`${asForm(client.client_id)}:${asForm(secret)}`)}`)
  }

/**
 * As RFC 6749 wants it, and nothing encoded that need not be, as the library does with hyphens: not all providers decode it.
 */
const asForm = (text: string): string => new URLSearchParams({ text }).toString().slice("text=".length)

/** The claims of the token, and those that only the provider's own answer has. */
async function told(
  config: oidc.Configuration,
  { roleClaim }: SignInProvider,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  subject?: string,
): Promise<Told> {
  const ofToken = tokens.claims()
  const { issuer, userinfo_endpoint: endpoint } = config.serverMetadata()
  const sub = ofToken?.sub ?? subject
  if (sub === undefined || (subject !== undefined && sub !== subject))
    throw new NotProved("The provider names another person than before.")
  const lacks = !ofToken?.["email"] || (roleClaim !== null && claimAt(ofToken, roleClaim) === undefined)
  const asked = lacks && endpoint ? await oidc.fetchUserInfo(config, tokens.access_token, sub) : {}
  const claims = { ...asked, ...ofToken, sub }
  return { issuer, claims, refreshToken: tokens.refresh_token ?? null }
}

/** The value at a path with dots; undefined if there is none. The name of a claim can have dots, too. */
export function claimAt(claims: object, path: string): unknown {
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path]
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      claims,
    )
}

/** Calls only addresses that a webhook may call, as checked when the connection is made, and no other after a redirect. */
const guarded =
  (network: Network): oidc.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    if (!mayVisit(new URL(url))) throw new NoProvider("The provider has an address without https.")
    const outgoing = {
      url,
      method: method === "GET" ? ("GET" as const) : ("POST" as const),
      headers: { ...headers },
      body: body ? String(body) : "",
      keeps: mostBytes,
    }
    const {
      status,
      text,
      type = "",
    } = await sendTo(outgoing, network, signal ?? new AbortController().signal)
    return new Response(text, { status, headers: { "content-type": type } })
  }

/** Tells an answer that refuses from no answer. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotProved || error instanceof NoProvider) throw error
    const isAnswer =
      error instanceof oidc.AuthorizationResponseError ||
      (error instanceof oidc.ResponseBodyError && error.status < 500)
    if (isAnswer) throw new NotProved(`The provider refused: ${shortened(error.error)}.`)
    const isWrong =
      error instanceof oidc.ClientError && /^OAUTH_(?!.*(?:TIMEOUT|ABORT))/.test(error.code ?? "")
    // The library's sentences name no values, and an admin needs them to set a provider up.
    if (isWrong && !(error.cause instanceof Response && error.cause.status >= 500))
      throw new NotProved(`What the provider sent is not valid: ${error.message}.`)
    throw new NoProvider(
      `The provider cannot be reached.${error instanceof NoResponse ? ` ${error.message}` : ""}`,
    )
  }
}

const shortened = (code: string): string => code.replaceAll(/[^\w.-]/g, "").slice(0, 80)
