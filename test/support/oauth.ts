import { expect } from "bun:test"
import { adminEmail, adminPassword, type Kontor } from "./kontor"
import type { Api } from "./api"

export const redirectUri = "https://shop.example/callback"
export type Client = { id: string; clientId: string; clientSecret?: string }

/** A browser without scripts: it stores cookies, does not follow redirects, and submits forms. */
export function browse(kontor: Pick<Kontor, "url">) {
  const cookies = new Map<string, string>()
  const fetchIt = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(url, { ...init, redirect: "manual", headers: { ...init.headers, cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get("location"),
      text: await response.text(),
    }
  }
  type Shown = Awaited<ReturnType<typeof fetchIt>>
  return {
    cookies,
    open: (url: string) => fetchIt(url.startsWith("/") ? kontor.url + url : url),
    /** Submits the form that has this action, with additional fields. */
    async submit({ text }: Shown, action: string, typed: Record<string, string> = {}): Promise<Shown> {
      const form =
        text.match(/<form[\s\S]*?<\/form>/g)?.find((each) => each.includes(`value="${action}"`)) ?? ""
      expect(form).not.toBe("")
      const target = unescaped(/action="([^"]+)"/.exec(form)?.[1] ?? "")
      const fields = new URLSearchParams(typed)
      for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g))
        fields.set(
          /name="([^"]+)"/.exec(input)?.[1] ?? "",
          unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ""),
        )
      return fetchIt(kontor.url + target, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: fields.toString(),
      })
    },
  }
}

export type Browser = ReturnType<typeof browse>

const unescaped = (text: string) =>
  text
    .replaceAll("&amp;", "&")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")

/** Creates a PKCE verifier and its challenge. */
export function pkce() {
  const verifier = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")
  return { verifier, challenge: new Bun.CryptoHasher("sha256").update(verifier).digest("base64url") }
}

export const clientOf = async (api: Api, more: object = {}): Promise<Client> =>
  api.create("/oauth-clients", {
    name: "Web shop",
    redirectUris: [redirectUri],
    scopes: ["read", "write"],
    ...more,
  })

/** The URL of a valid authorization request. `more` overrides parameters; null omits one. */
export function askUrl(client: Client, challenge: string, more: Record<string, string | null> = {}): string {
  const params = {
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: "read",
    state: "s-1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  }
  return `/oauth/authorize?${new URLSearchParams(Object.entries(params).filter((each): each is [string, string] => each[1] !== null))}`
}

/** Signs in and consents, if the pages ask for it. Returns the redirect URL of the app. */
export async function agree(
  browser: Browser,
  url: string,
  { email = adminEmail, password = adminPassword } = {},
): Promise<URL> {
  let shown = await browser.open(url)
  if (shown.text.includes('value="sign-in"'))
    shown = await browser.submit(shown, "sign-in", { email, password })
  if (shown.text.includes('value="allow"')) shown = await browser.submit(shown, "allow")
  expect(shown).toMatchObject({ status: 303 })
  return new URL(shown.location ?? "")
}

/** Posts a form to an OAuth endpoint, as an app does. */
export async function ask(
  kontor: Pick<Kontor, "url">,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${kontor.url}/oauth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
  })
  // Tests access any field of the response.
  // eslint-disable-next-line typescript/no-explicit-any
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

export const credentials = ({ clientId, clientSecret }: Client): Record<string, string> => ({
  client_id: clientId,
  ...(clientSecret ? { client_secret: clientSecret } : {}),
})

/** Runs the whole flow from the authorization request to the tokens. */
export async function connect(
  kontor: Pick<Kontor, "url">,
  client: Client,
  {
    scope = "read",
    browser = browse(kontor),
    ...who
  }: { scope?: string; browser?: Browser; email?: string; password?: string } = {},
) {
  const { verifier, challenge } = pkce()
  const back = await agree(browser, askUrl(client, challenge, { scope }), who)
  const exchange = {
    grant_type: "authorization_code",
    code: back.searchParams.get("code") ?? "",
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...credentials(client),
  }
  const answer = await ask(kontor, "token", exchange)
  expect(answer).toMatchObject({ status: 200 })
  return { tokens: answer.body, exchange, browser }
}
