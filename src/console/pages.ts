import { page as route, type RouteCall, type Route } from "../http/route"
import { Refusal } from "../lib/refusal"
import { assetFolder, type ConsoleFile } from "./bundle"
import { consoleFiles } from "./files"

// Mantine writes its colours into a style element. Scripts and everything else come only from this server.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

type Held = { file: ConsoleFile; brotli?: Promise<Uint8Array>; gzip?: Promise<Uint8Array> }

/** The routes of the console: the same page at each of its addresses, and its files, which browsers cache forever. */
export function consolePages(): Route[] {
  let loading: Promise<Map<string, Held>> | undefined
  const load = () =>
    (loading ??= consoleFiles().then(
      (files) => new Map(files.map((file): [string, Held] => [file.path, { file }])),
    ))

  const answer = async (request: Request, path: string): Promise<Response> => {
    const held = (await load()).get(path)
    if (!held)
      throw new Refusal("ENDPOINT_NOT_FOUND", `${path.slice(0, 200)} does not exist.`, {
        params: { path: path.slice(0, 200) },
      })
    const { file } = held
    const isPage = path === "/console"
    const headers: Record<string, string> = {
      "content-type": file.type,
      "cache-control": isPage ? "no-cache" : "public, max-age=31536000, immutable",
      etag: file.etag,
      vary: "Accept-Encoding",
      ...(isPage && { "content-security-policy": policy, "referrer-policy": "no-referrer" }),
    }
    if (request.headers.get("if-none-match") === file.etag)
      return new Response(null, { status: 304, headers })
    const accepted = request.headers.get("accept-encoding") ?? ""
    // Browsers accept brotli only over https. Over http they accept gzip.
    if (/\bbr\b/.test(accepted))
      return packed(await (held.brotli ??= file.brotli()), { ...headers, "content-encoding": "br" })
    const bytes = await (held.gzip ??= file.gzip())
    return /\bgzip\b/.test(accepted)
      ? packed(bytes, { ...headers, "content-encoding": "gzip" })
      : packed(Bun.gunzipSync(new Uint8Array(bytes)), headers)
  }

  const page = ({ request }: RouteCall) => answer(request, "/console")
  return [
    route("GET", "/", page),
    route("GET", "/setup", page),
    route("GET", "/console", page),
    route("GET", "/console/*", page),
    route("GET", `${assetFolder}:name`, ({ request, call }) => answer(request, call.path)),
  ]
}

const packed = (bytes: Uint8Array, headers: Record<string, string>) =>
  new Response(new Uint8Array(bytes), { headers })
