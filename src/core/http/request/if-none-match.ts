/**
 * True if the client already has this version: If-None-Match lists its ETag or is `*`. Tags are compared as texts,
 * without their `W/` (RFC 9110, 13.1.2).
 */
export function isUnchanged(request: Request, etag: string): boolean {
  const header = request.headers.get("if-none-match")
  return header !== null && hasTag(header, etag)
}

/** A tag may contain commas, so the list cannot be split at them. */
export const hasTag = (header: string, etag: string): boolean =>
  header.trim() === "*" || (header.match(/"[^"]*"/g)?.includes(etag) ?? false)
