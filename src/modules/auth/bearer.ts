/** Reads the bearer token of a request. Reading headers is expensive in Bun, so the token is cached per request. */
export function bearerTokens(): (request: Request) => string | null {
  let latest: { request: Request | null; token: string | null } = { request: null, token: null }
  return (request) => {
    if (latest.request !== request) latest = { request, token: bearerOf(request) }
    return latest.token
  }
}

function bearerOf(request: Request): string | null {
  const header = request.headers.get("authorization")
  if (header === null) return null
  // Nearly every header has this form, and a comparison is cheaper than the pattern.
  if (header.startsWith("Bearer ") && !header.includes(" ", 7)) return header.slice(7) || null
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? null
}
