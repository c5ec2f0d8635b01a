// An OpenID provider that does what a test wants, also what no provider should do.
import { expect } from "bun:test"
import type { Api } from "./api"
import type { Kontor } from "./kontor"
import { browse, type Browser } from "./oauth"

type Values = Record<string, unknown>

/** What a provider does differently from a good one. */
export type Lies = {
  /** Claims of the token that replace the right ones. */
  claims?: Values
  /** The algorithm that the token names; `none` is not signed. */
  alg?: string
  /** True for a signature that is not the provider's. */
  isForged?: boolean
  /** The issuer that the answer to the browser names. */
  iss?: string
  /** The status of the endpoint of tokens. */
  tokenStatus?: number
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const seconds = () => Math.floor(Date.now() / 1000)

export async function provider() {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  }
  const { publicKey, privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
  const jwk = { ...(await crypto.subtle.exportKey("jwk", publicKey)), kid: "1", use: "sig", alg: "RS256" }
  /** The nonces of codes and the challenges, by the code. */
  const codes = new Map<string, { nonce: string; challenge: string; clientId: string }>()
  const state = {
    issuer: "",
    /** The person at the browser. */
    person: {} as Values,
    lies: {} as Lies,
    /** True if it gives refresh tokens. */
    givesRefresh: false,
    requests: [] as string[],
  }
  let refreshes = 0

  const tokenOf = async (claims: Values) => {
    const head = { alg: state.lies.alg ?? "RS256", kid: "1" }
    const text = `${encoded(head)}.${encoded({ ...claims, ...state.lies.claims })}`
    if (head.alg === "none") return `${text}.`
    if (state.lies.isForged) return `${text}.${Buffer.alloc(256, 7).toString("base64url")}`
    const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", privateKey, Buffer.from(text))
    return `${text}.${Buffer.from(signature).toString("base64url")}`
  }

  async function tokens(request: Request): Promise<Response> {
    if (state.lies.tokenStatus)
      return Response.json({ error: "invalid_grant" }, { status: state.lies.tokenStatus })
    const form = new URLSearchParams(await request.text())
    const begun = codes.get(form.get("code") ?? "")
    codes.delete(form.get("code") ?? "")
    const isRefresh =
      form.get("grant_type") === "refresh_token" && form.get("refresh_token") === `r-${refreshes}`
    const verifier = new Bun.CryptoHasher("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    if (!isRefresh && begun?.challenge !== verifier)
      return Response.json({ error: "invalid_grant" }, { status: 400 })
    const clientId = begun?.clientId ?? "kontor"
    const claims = { iss: state.issuer, aud: clientId, iat: seconds(), exp: seconds() + 300, ...state.person }
    return Response.json({
      access_token: "access",
      token_type: "Bearer",
      expires_in: 300,
      id_token: await tokenOf(begun ? { ...claims, nonce: begun.nonce } : claims),
      ...(state.givesRefresh ? { refresh_token: `r-${++refreshes}` } : {}),
    })
  }

  /** Where the provider sends a browser that has come to this address and signed in. */
  function comeBack(location: string): string {
    const asked = new URL(location)
    expect(asked.origin + asked.pathname).toBe(`${state.issuer}/authorize`)
    const of = (name: string) => asked.searchParams.get(name) ?? ""
    expect([of("code_challenge_method"), of("response_type")]).toEqual(["S256", "code"])
    const code = crypto.randomUUID()
    codes.set(code, { nonce: of("nonce"), challenge: of("code_challenge"), clientId: of("client_id") })
    const back = new URL(of("redirect_uri"))
    const iss = state.lies.iss ?? state.issuer
    back.search = new URLSearchParams({ code, state: of("state"), iss }).toString()
    return back.href
  }

  const answer = (request: Request): Response | Promise<Response> => {
    const { pathname } = new URL(request.url)
    const { issuer } = state
    state.requests.push(`${request.method} ${pathname}`)
    if (pathname === "/keys") return Response.json({ keys: [jwk] })
    if (pathname === "/token") return tokens(request)
    // A browser is signed in at once.
    if (pathname === "/authorize") return Response.redirect(comeBack(request.url), 303)
    if (!pathname.endsWith("/openid-configuration")) return new Response(null, { status: 404 })
    return Response.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      authorization_response_iss_parameter_supported: true,
    })
  }
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer })
  state.issuer = `http://127.0.0.1:${server.port}`
  return Object.assign(state, { comeBack, stop: () => server.stop(true) })
}

export type Provider = Awaited<ReturnType<typeof provider>>

/** Sets the providers of a server, and returns where each begins. */
export async function signInWith(api: Api, entries: Values[]): Promise<string[]> {
  const answer = await api.put("/settings", { signInWith: entries })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data.signInWith.map(({ callbackPath }: { callbackPath: string }) =>
    callbackPath.replace(/\/callback$/, ""),
  )
}

/** Signs in a browser with a provider, up to the last redirect. */
export async function comeIn(
  kontor: Pick<Kontor, "url">,
  { path, at, browser = browse(kontor) }: { path: string; at: Provider; browser?: Browser },
) {
  const begun = await browser.open(path)
  expect(begun).toMatchObject({ status: 303 })
  const ended = await browser.open(at.comeBack(begun.location ?? ""))
  return { ...ended, browser }
}

/** The console asks for an access token with the cookie of the browser. */
export async function refresh(kontor: Pick<Kontor, "url">, { cookies }: Browser) {
  const response = await fetch(`${kontor.url}/console/session/refresh`, {
    method: "POST",
    headers: {
      origin: kontor.url,
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    },
  })
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    cookies.set(name, value)
  }
  // Tests read any field.
  // eslint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any }
}

/** Starts a provider in Node on a free port, which has to know where it sends browsers back. */
export async function nodeProvider(callbackOf: (issuer: string) => Promise<string>) {
  // The callback depends on the port, so that it is chosen here.
  const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const issuer = `http://127.0.0.1:${free.port}`
  await free.stop(true)
  const args = ["test/support/node-provider.mjs", issuer, await callbackOf(issuer)]
  const child = Bun.spawn(["node", ...args], { stdin: "pipe", stdout: "pipe", stderr: "ignore" })
  for await (const _ of child.stdout as unknown as AsyncIterable<Uint8Array>) break
  return {
    issuer,
    clientSecret: "a secret of the client",
    scopes: "openid email profile",
    /** Fills in the forms of the provider as `ada`, until it sends the browser back. */
    async visit(browser: Browser, location: string): Promise<string> {
      let next = location
      while (next.startsWith(issuer)) {
        const page = await browser.open(next)
        next = page.location ? new URL(page.location, next).href : await submit(browser, page.text, next)
      }
      return next
    },
    async stop() {
      child.stdin.end()
      await child.exited
    },
  }
}

async function submit({ cookies }: Browser, html: string, at: string): Promise<string> {
  const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1] ?? ""
  const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? ""
  const response = await fetch(new URL(action, at), {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    },
    body: new URLSearchParams({ prompt, login: "ada", password: "any" }).toString(),
  })
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    cookies.set(name, value)
  }
  expect(response.headers.get("location")).toBeTruthy()
  return new URL(response.headers.get("location") ?? "", at).href
}
