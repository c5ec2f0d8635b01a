import { unpackGzip } from "../../lib/pack"
import { acceptsCoding, type Coding } from "./transfer"
import { isUnchanged } from "../request/if-none-match"

type Bytes = Promise<Uint8Array<ArrayBuffer>>

/** A file that never changes while the server runs, with its compressed forms. */
export type PackedFile = { type: string; etag: string; gzip: () => Bytes; brotli?: () => Bytes }

export const etagOfBytes = (bytes: Uint8Array): string => `"${Bun.hash(bytes).toString(36)}"`

/** Responds with the smallest form that the client accepts, or with 304 if it has the file already. */
export async function answerFile(
  request: Request,
  { type, etag, gzip, brotli }: PackedFile,
  more: Record<string, string>,
): Promise<Response> {
  const headers = { ...more, "content-type": type, etag }
  if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers })
  const accepted = request.headers.get("accept-encoding")
  const compressed = (coding: Coding, bytes: Uint8Array<ArrayBuffer>) =>
    new Response(bytes, { headers: { ...headers, "content-encoding": coding } })
  // Browsers accept brotli only over https. Over http they accept gzip.
  if (brotli && acceptsCoding(accepted, "br")) return compressed("br", await brotli())
  const bytes = await gzip()
  return acceptsCoding(accepted, "gzip")
    ? compressed("gzip", bytes)
    : new Response(await unpackGzip(bytes), { headers })
}
