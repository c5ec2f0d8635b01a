type Place = {
  name: string
  /** Where it is sent to over plain http; over https a cookie of its host alone is sent everywhere. */
  path: string
  sameSite: "Strict" | "Lax"
  /** Of the address that the browser sees; empty where that has none. */
  port: string
  /** True when the browser is here by https. */
  isHttps: boolean
}

/**
 * A cookie of ours in one browser. It is named by the port: cookies know hosts alone, and another Kontor may be on the
 * same one. Over https its prefix makes browsers take it only from this very host by https, so that neither a neighbour
 * under the same domain nor whoever forges plain http can put one of their own in its place.
 */
export function cookieAt({ name, path, sameSite, port, isHttps }: Place) {
  const fullName = `${isHttps ? "__Host-" : ""}${name}${port && `_${port}`}`
  const where = isHttps ? "/" : path
  const pattern = new RegExp(`(?:^|;\\s*)${fullName}=([\\w.-]+)`)
  return {
    read: (request: Request): string | null => pattern.exec(request.headers.get("cookie") ?? "")?.[1] ?? null,
    /** What to send as Set-Cookie. */
    write: (value: string, seconds: number): string =>
      `${fullName}=${value}; Path=${where}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${isHttps ? "; Secure" : ""}`,
  }
}
