import { readBody } from "../http/body"
import type { App } from "../http/app"
import { actorOf, type Call } from "../http/call"
import { ok } from "../http/envelope"
import { Refusal } from "../lib/refusal"
import type { AuthService, SignedIn } from "../modules/auth/service"
import { readParams } from "../resource/query"

const path = "/console/session"

type Outside = {
  auth: AuthService
  /** True when browsers reach us by https. */
  isSecure: boolean
  /** Where browsers reach us, when it was said. */
  publicUrl: string | null
  idleMinutes: () => number
}

/**
 * The console's sign-in. The refresh token lives in a cookie that no script can read and no other site can send; the
 * page is given the access token only, and keeps it in memory.
 */
export function consoleSession({ auth, isSecure, publicUrl, idleMinutes }: Outside) {
  const cookie = (request: Request, value: string, seconds: number) =>
    `${cookieName(request)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`
  const gone = (request: Request) => cookie(request, "", 0)

  const answer = ({ token, refreshToken, expiresIn, user }: SignedIn, request: Request, headers: Headers) => {
    headers["set-cookie"] = cookie(request, refreshToken, idleMinutes() * 60)
    return ok({ token, expiresIn, user, idleMinutes: idleMinutes() })
  }

  const guardOrigin = ({ request, call }: { request: Request; call: Call }): void => {
    readParams(call.query)
    assertOwnPage(request, publicUrl)
  }

  const hidden = { beforeHandle: guardOrigin, parse: "none", detail: { hide: true } } as const
  return (app: App) =>
    app
      .post(
        path,
        async ({ request, call, set }) =>
          answer(await auth.login(await readBody(request), actorOf(call)), request, set.headers as Headers),
        hidden,
      )
      .post(
        `${path}/refresh`,
        async ({ request, call, set }) => {
          const refreshToken = cookieOf(request)
          if (!refreshToken) throw new Refusal("INVALID_REFRESH_TOKEN", "Nobody is signed in here.")
          try {
            return answer(
              await auth.refresh({ refreshToken }, actorOf(call)),
              request,
              set.headers as Headers,
            )
          } catch (error) {
            if (error instanceof Refusal && error.status === 401) set.headers["set-cookie"] = gone(request)
            throw error
          }
        },
        hidden,
      )
      .delete(
        path,
        async ({ request, call, set }) => {
          const refreshToken = cookieOf(request)
          if (refreshToken) await auth.leave(refreshToken, actorOf(call))
          set.headers["set-cookie"] = gone(request)
          set.status = 204
        },
        hidden,
      )
}

type Headers = Record<string, string | number>

/** Named by the port that the browser sees: cookies know hosts alone, and another Kontor may be on the same one. */
function cookieName(request: Request): string {
  const { port } = new URL(request.headers.get("origin") ?? "")
  return port ? `kontor_session_${port}` : "kontor_session"
}

const cookieOf = (request: Request): string | null =>
  new RegExp(`(?:^|;\\s*)${cookieName(request)}=([\\w-]+)`).exec(request.headers.get("cookie") ?? "")?.[1] ??
  null

/** Refuses what no page of ours has sent: browsers name the origin of every such request, and pages cannot forge it. */
function assertOwnPage(request: Request, publicUrl: string | null): void {
  const origin = request.headers.get("origin")
  // The scheme is not compared: behind a proxy that ends TLS, https at the browser is http here.
  const isOwn =
    origin !== null &&
    URL.canParse(origin) &&
    (new URL(origin).host === request.headers.get("host")?.toLowerCase() ||
      (publicUrl !== null && new URL(publicUrl).origin === origin))
  if (!isOwn) throw new Refusal("FORBIDDEN", "Only the console's own pages may do this.")
}
