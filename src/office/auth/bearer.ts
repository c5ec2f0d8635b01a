let latest: { request: Request | null; token: string | null } = { request: null, token: null }

/** Returns the bearer token of a request, or null. Each request is asked twice, and reading a header is slow in Bun. */
export function bearerOf(request: Request): string | null {
  if (latest.request !== request) latest = { request, token: readBearer(request) }
  return latest.token
}

/** The plain form. */
export const readBearer = (request: Request): string | null =>
  /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null
