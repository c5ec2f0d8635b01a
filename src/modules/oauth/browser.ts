import { cookieAt } from "../../http/cookie"
import { latestCredibleSecond, unixSeconds } from "../../lib/clock"
import { newSecret, sameSecret, signatureOf } from "../../lib/secret"

/** Who signs in at an application's request stays so for an hour: long enough for a few of them. */
const lifetime = 60 * 60

type Deps = {
  secret: string
  /** True when browsers reach us by https. */
  isSecure: boolean
  /** Where browsers reach us, when it was said. */
  publicUrl: string | null
}

/** What the cookie of the authorization page says: which session, if any, and a mark that forms are bound to. */
export type Browser = { sessionId: string | null; mark: string }

/**
 * The page has a cookie of its own: a Strict one would not be sent when somebody arrives from another site. It is
 * signed, and worth no more than the session it names, which is looked up each time.
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

    /** A new cookie, with what it says. */
    make(request: Request, sessionId: string | null): { browser: Browser; cookie: string } {
      const mark = newSecret()
      const value = signed(`${sessionId ?? "-"}.${unixSeconds() + lifetime}.${mark}`)
      return { browser: { sessionId, mark }, cookie: cookieFor(request).write(value, lifetime) }
    },

    /** What a form must bring back: made for this browser, this very request and what was shown with it. */
    formToken: ({ mark }: Browser, query: string, shown = ""): string =>
      signatureOf(secret, `form ${mark} ${query}\n${shown}`),

    isFormToken(given: string, browser: Browser, query: string, shown = ""): boolean {
      return sameSecret(given, this.formToken(browser, query, shown))
    },
  }
}

const portOf = (request: Request): string => /:(\d+)$/.exec(request.headers.get("host") ?? "")?.[1] ?? ""
