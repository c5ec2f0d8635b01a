import { cookieAt } from "../../../core/http/request/cookie"
import { real } from "../../../core/lib/clock"
import { newSecret, sameSecret, signatureOf } from "../../../core/lib/secret"

/** A user who signs in on the consent page stays signed in for an hour, which is enough to connect several apps. */
const lifetime = 60 * 60

type Deps = {
  secret: string
  /** True when browsers reach the server over https. */
  isSecure: boolean
  /** The URL where browsers reach the server; null when it is not configured. */
  publicUrl: string | null
}

/**
 * The content of the consent page's cookie: the session, if any, and a random text (`mark`) that forms are bound to.
 */
export type Browser = { sessionId: string | null; mark: string }

/**
 * The consent page has a separate cookie, because a SameSite=Strict cookie is not sent when a user arrives from another
 * site. It is signed, and gives no more access than the session that it names, which is looked up each time.
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
      if (Number(until) < real.seconds() || (Number(until) - lifetime) * 1000 > real.latestMillis())
        return null
      return { sessionId: sessionId === "-" ? null : sessionId, mark }
    },

    /** Creates a cookie, and returns it with its content. */
    make(request: Request, sessionId: string | null): { browser: Browser; cookie: string } {
      const mark = newSecret()
      const value = signed(`${sessionId ?? "-"}.${real.seconds() + lifetime}.${mark}`)
      return { browser: { sessionId, mark }, cookie: cookieFor(request).write(value, lifetime) }
    },

    /** The token that a form must send back. It is bound to this browser, this request and the scopes shown. */
    formToken,

    isFormToken: (given: string, browser: Browser, query: string, shown = ""): boolean =>
      sameSecret(given, formToken(browser, query, shown)),
  }
}

export type BrowserCookies = ReturnType<typeof browserCookies>

const portOf = (request: Request): string => /:(\d+)$/.exec(request.headers.get("host") ?? "")?.[1] ?? ""
