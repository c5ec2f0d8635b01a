type Place = {
  name: string
  /** The path over plain http; over https the cookie's path is `/`. */
  path: string
  sameSite: "Strict" | "Lax"
  /** The port that the browser sees; empty for the default port. */
  port: string
  /** True when the browser uses https. */
  isHttps: boolean
}

/**
 * A cookie in one browser. The port is part of its name, because cookies are shared by all ports of a host and another
 * Kontor may use one of them. Over https the `__Host-` prefix makes browsers accept the cookie only from this host over
 * https, so that neither another subdomain nor an attacker on plain http can replace it.
 */
export function cookieAt({ name, path, sameSite, port, isHttps }: Place) {
  const fullName = `${isHttps ? "__Host-" : ""}${name}${port && `_${port}`}`
  const where = isHttps ? "/" : path
  const pattern = new RegExp(`(?:^|;\\s*)${fullName}=([\\w.-]+)`)
  return {
    read: (request: Request): string | null => pattern.exec(request.headers.get("cookie") ?? "")?.[1] ?? null,
    /** The value of Set-Cookie. */
    write: (value: string, seconds: number): string =>
      `${fullName}=${value}; Path=${where}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${isHttps ? "; Secure" : ""}`,
  }
}
