import { cookieAt } from "../../http/cookie"
import { latestCredibleSecond, unixSeconds } from "../../lib/clock"
import { newSecret, sameSecret, signatureOf } from "../../lib/secret"

/** Who signs in at an application's request stays signed in for an hour, which is enough for several applications. */
const lifetime = 60 * 60

type Deps = {
  secret: string
  /** True when browsers reach us by https. */
  isSecure: boolean
  /** Where browsers reach us; null when it is not configured. */
  publicUrl: string | null
}

/** What the cookie of the authorization page holds: the session, if any, and a random mark that forms are bound to. */
export type Browser = { sessionId: string | null; mark: string }

/**
 * The page has its own cookie, because a Strict one would not be sent when somebody arrives from another site. It is
 * signed, and gives no more access than the session that it names, which is looked up each time.
 */
export function browserCookies({ secret, isSecure, publicUrl }: Deps) {
  const signed = (text: string) => `${text}.${signatureOf(secret, `cookie ${text}`)}`
  const cookieFor = (request: Request) =>
    cookieAt({
      name: "kontor_oauth",
      path: "/oauth",
      sameSite: "Lax",
      port: publicUrl === null ? portOf(request) : new URL(publicUrl).port,
      isHttps: isSecure,
    })

  const formToken = ({ mark }: Browser, query: string, shown = ""): string =>
    signatureOf(secret, `form ${mark} ${query}\n${shown}`)

  return {
    read(request: Request): Browser | null {
      const text = cookieFor(request).read(request)
      const [sessionId, until, mark] = text?.split(".") ?? []
      if (
        !text ||
        !sessionId ||
        !until ||
        !mark ||
        !sameSecret(text, signed(`${sessionId}.${until}.${mark}`))
      )
        return null
      if (Number(until) < unixSeconds() || Number(until) > latestCredibleSecond() + lifetime) return null
      return { sessionId: sessionId === "-" ? null : sessionId, mark }
    },

    /** A new cookie, and what it holds. */
    make(request: Request, sessionId: string | null): { browser: Browser; cookie: string } {
      const mark = newSecret()
      const value = signed(`${sessionId ?? "-"}.${unixSeconds() + lifetime}.${mark}`)
      return { browser: { sessionId, mark }, cookie: cookieFor(request).write(value, lifetime) }
    },

    /** What a form must send back. It is bound to this browser, this request and what was shown with it. */
    formToken,

    isFormToken: (given: string, browser: Browser, query: string, shown = ""): boolean =>
      sameSecret(given, formToken(browser, query, shown)),
  }
}

export type BrowserCookies = ReturnType<typeof browserCookies>

const portOf = (request: Request): string => /:(\d+)$/.exec(request.headers.get("host") ?? "")?.[1] ?? ""
