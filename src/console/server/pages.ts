import { answerFile } from "../../core/http/answer/file-answer"
import { page as route, type RouteCall, type Route } from "../../core/http/route/route"
import { once } from "../../core/lib/shared-runs"
import { Refusal } from "../../core/lib/refusal"
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
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** The routes of the console: the same page at each of its addresses, and its files, which browsers cache forever. */
export function consolePages(): Route[] {
  const load = once(
    async () => new Map((await consoleFiles()).map((file) => [file.path, heldInMemory(file)])),
  )

  const answer = async (request: Request, path: string): Promise<Response> => {
    const file = (await load()).get(path)
    if (!file)
      throw new Refusal("ENDPOINT_NOT_FOUND", `${path.slice(0, 200)} does not exist.`, {
        params: { path: path.slice(0, 200) },
      })
    const isPage = path === "/console"
    return answerFile(request, file, {
      "cache-control": isPage ? "no-cache" : "public, max-age=31536000, immutable",
      ...(isPage && { "content-security-policy": policy, "referrer-policy": "no-referrer" }),
    })
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

const heldInMemory = (file: ConsoleFile): ConsoleFile => ({
  ...file,
  brotli: once(file.brotli),
  gzip: once(file.gzip),
})
