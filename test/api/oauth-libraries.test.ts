import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { AuthorizationCode } from "simple-oauth2"
import { apiWith, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { agree, browse, clientOf, pkce, redirectUri, type Client } from "../support/oauth"

// Independent OAuth client libraries against our server.
let kontor: Kontor
let api: Api
let client: Client
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  client = await clientOf(api)
})
afterAll(cleanUp)

const works = async (token: string) =>
  (await apiWith(kontor, { authorization: `Bearer ${token}` }).get("/items")).status

describe("oauth4webapi", () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const discover = async () => {
    const issuer = new URL(kontor.url)
    const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
    return oauth.processDiscoveryResponse(issuer, response)
  }

  test.each(["confidential by header", "confidential by body", "public"])(
    "discovers, connects, refreshes, introspects and revokes as a client that is %s",
    async (kind) => {
      const server = await discover()
      const isPublic = kind === "public"
      const mine = isPublic ? await clientOf(api, { type: "public" }) : client
      const proof = isPublic
        ? oauth.None()
        : kind.endsWith("header")
          ? oauth.ClientSecretBasic(mine.clientSecret ?? "")
          : oauth.ClientSecretPost(mine.clientSecret ?? "")
      const me: oauth.Client = { client_id: mine.clientId }
      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const url = new URL(server.authorization_endpoint ?? "")
      for (const [name, value] of Object.entries({
        client_id: mine.clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "read write",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
      }))
        url.searchParams.set(name, value)
      const back = await agree(browse(kontor), url.href)
      const params = oauth.validateAuthResponse(server, me, back, state)
      const exchanged = await oauth.processAuthorizationCodeResponse(
        server,
        me,
        await oauth.authorizationCodeGrantRequest(server, me, proof, params, redirectUri, verifier, insecure),
      )
      expect(exchanged.scope).toBe("read write")
      expect(await works(exchanged.access_token)).toBe(200)
      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        me,
        await oauth.refreshTokenGrantRequest(server, me, proof, exchanged.refresh_token ?? "", insecure),
      )
      expect(await works(refreshed.access_token)).toBe(200)
      if (!isPublic) {
        const told = await oauth.processIntrospectionResponse(
          server,
          me,
          await oauth.introspectionRequest(server, me, proof, refreshed.access_token, insecure),
        )
        expect(told).toMatchObject({ active: true, client_id: mine.clientId })
      }
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, me, proof, refreshed.refresh_token ?? "", insecure),
      )
      expect(await works(refreshed.access_token)).toBe(401)
    },
  )
})

test("openid-client connects and refreshes", async () => {
  const config = await openid.discovery(
    new URL(kontor.url),
    client.clientId,
    client.clientSecret,
    undefined,
    { algorithm: "oauth2", execute: [openid.allowInsecureRequests] },
  )
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "read",
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  })
  const back = await agree(browse(kontor), url.href)
  const tokens = await openid.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  expect(await works(tokens.access_token)).toBe(200)
  const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "")
  expect(await works(next.access_token)).toBe(200)
})

test("simple-oauth2 connects, refreshes and revokes", async () => {
  const shop = new AuthorizationCode({
    client: { id: client.clientId, secret: client.clientSecret ?? "" },
    auth: {
      tokenHost: kontor.url,
      tokenPath: "/oauth/token",
      authorizePath: "/oauth/authorize",
      revokePath: "/oauth/revoke",
    },
  })
  const { verifier, challenge } = pkce()
  const url = shop.authorizeURL({
    redirect_uri: redirectUri,
    scope: "read",
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
  } as never)
  const back = await agree(browse(kontor), url)
  const code = back.searchParams.get("code") ?? ""
  const token = await shop.getToken({ code, redirect_uri: redirectUri, code_verifier: verifier } as never)
  expect(await works(String(token.token["access_token"]))).toBe(200)
  const next = await token.refresh()
  expect(await works(String(next.token["access_token"]))).toBe(200)
  await next.revoke("access_token")
  expect(await works(String(next.token["access_token"]))).toBe(401)
})
