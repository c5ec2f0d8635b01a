import { Database } from "bun:sqlite"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { apt } from "../../scripts/apt"
import { isLong } from "./long"
import type { Browser } from "./oauth"
import { until } from "./until"

const program = "/usr/bin/glewlwyd"
const has = (): boolean => Bun.spawnSync(["test", "-x", program]).success

/** True where a Glewlwyd of Debian can be started. The long form of the tests installs it. */
export const hasGlewlwyd = ((): boolean => {
  if (process.platform !== "linux") return false
  return has() || (isLong && apt("install", "-y", "--no-install-recommends", "glewlwyd") && has())
})()

const clientSecret = "secret_of-the.client"
const tables = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"

const settings = (folder: string, port: number) => `
port=${port}
bind_address="127.0.0.1"
external_url="http://127.0.0.1:${port}"
login_url="login.html"
api_prefix="api"
static_files_path="/usr/share/glewlwyd/webapp/"
log_mode="console"
log_level="ERROR"
cookie_domain="127.0.0.1"
cookie_secure=0
session_expiration=3600
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
user_middleware_module_path="/usr/lib/glewlwyd/user_middleware"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
database = { type = "sqlite3"; path = "${join(folder, "glewlwyd.db")}"; };
static_files_mime_types = ( { extension = ".html"; mime_type = "text/html"; compress = 1; } )
`

/** The plugin for OpenID Connect, with the address and the name of people in their tokens. */
function plugin(origin: string) {
  const key = Bun.spawnSync(["openssl", "genrsa", "2048"]).stdout
  const cert = Bun.spawnSync(["openssl", "rsa", "-pubout"], { stdin: key }).stdout
  const kinds = ["token", "id-token", "none", "password", "client", "device"]
  // Glewlwyd has no field for whether an address is verified, so it is derived from the name.
  const verified = {
    name: "email_verified",
    "user-property": "name",
    type: "boolean",
    "boolean-value-true": "Grace",
    "boolean-value-false": "nobody",
    mandatory: true,
    "on-demand": false,
    scope: [],
  }
  return {
    iss: `${origin}/api/oidc`,
    "jwt-type": "rsa",
    "jwt-key-size": "256",
    key: key.toString(),
    cert: cert.toString(),
    "access-token-duration": 3600,
    "refresh-token-duration": 86_400,
    "code-duration": 600,
    "refresh-token-rolling": false,
    "allow-non-oidc": false,
    "auth-type-code-enabled": true,
    "auth-type-refresh-enabled": true,
    ...Object.fromEntries(kinds.map((kind) => [`auth-type-${kind}-enabled`, kind === "id-token"])),
    scope: [],
    "additional-parameters": [],
    claims: [verified],
    "email-claim": "mandatory",
    "name-claim": "mandatory",
    "scope-claim": "no",
    "address-claim": { type: "no" },
    "subject-type": "public",
    "jwks-show": true,
    "pkce-allowed": true,
    "pkce-method-plain-allowed": false,
    "oauth-as-iss-id": true,
    "request-parameter-allow": false,
  }
}

/** Starts a Glewlwyd with files of its own, which knows the client `kontor` and the person Grace. */
export async function glewlwyd(callbackOf: (issuer: string) => Promise<string>) {
  const folder = mkdtempSync(join(tmpdir(), "kontor-glewlwyd-"))
  const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const port = free.port ?? 0
  await free.stop(true)
  const origin = `http://127.0.0.1:${port}`
  const db = new Database(join(folder, "glewlwyd.db"))
  db.run(readFileSync(tables, "utf8"))
  db.close()
  writeFileSync(join(folder, "glewlwyd.conf"), settings(folder, port))
  const child = Bun.spawn([program, `--config-file=${join(folder, "glewlwyd.conf")}`], {
    stdout: "ignore",
    stderr: "ignore",
  })
  const isUp = () => fetch(`${origin}/api/config`).then(Boolean, () => false)
  await until(isUp)
  const issuer = `${origin}/api/oidc`

  /** A session with its API. */
  const visit = () => {
    let cookie = ""
    return async (method: string, path: string, body?: object) => {
      const headers = { "content-type": "application/json", cookie }
      const url = path.startsWith("http") ? path : `${origin}/api/${path}`
      const response = await fetch(url, {
        method,
        headers,
        body: body && JSON.stringify(body),
        redirect: "manual",
      })
      for (const line of response.headers.getSetCookie())
        if (line.startsWith("GLEWLWYD2")) cookie = line.split(";")[0] ?? ""
      if (response.status >= 400)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response
    }
  }
  const admin = visit()
  await admin("POST", "auth/", { username: "admin", password: "password" })
  const parameters = plugin(origin)
  await admin("POST", "mod/plugin/", { module: "oidc", name: "oidc", display_name: "OpenID", parameters })
  const grace = { username: "grace", name: "Grace", email: "grace@example.com", password: "password" }
  await admin("POST", "user/?source=database", { ...grace, enabled: true, scope: ["openid", "g_profile"] })
  await admin("POST", "client/?source=database", {
    client_id: "kontor",
    name: "Kontor",
    enabled: true,
    confidential: true,
    client_secret: clientSecret,
    password: clientSecret,
    redirect_uri: [await callbackOf(issuer)],
    authorization_type: ["code", "refresh_token"],
    token_endpoint_auth_method: ["client_secret_basic"],
    scope: ["openid"],
  })

  return {
    issuer,
    clientSecret,
    scopes: "openid",
    /** Signs in as Grace where a browser was sent, and allows it. Returns where the browser is sent back. */
    async visit(_: Browser, location: string): Promise<string> {
      const her = visit()
      await her("POST", "auth/", { username: "grace", password: "password" })
      await her("PUT", "auth/grant/kontor", { scope: "openid" })
      return (await her("GET", `${location}&g_continue`)).headers.get("location") ?? ""
    },
    async stop() {
      child.kill()
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
