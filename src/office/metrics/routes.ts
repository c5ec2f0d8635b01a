import { readBearer } from "../auth/authenticator"
import { isLoopback } from "../../core/http/request/address"
import { page, type Route } from "../../core/http/route/route"
import { formatFor, formats, textOf, type Family } from "../../core/lib/metrics/text"
import { Refusal } from "../../core/lib/refusal"
import { sameSecret } from "../../core/lib/secret"

type Deps = {
  families: () => Family[]
  /** The token of `--metrics-token`; null without one. */
  metricsToken: string | null
  /** The address at the other end of the connection, whatever the headers say. */
  peerOf: (request: Request) => string
}

/**
 * GET /metrics, for Prometheus and other scrapers. No right of the API is enough for it: it needs the token of the server
 * or, without one, a connection from this machine that no proxy has forwarded.
 */
export const metricsRoutes = ({ families, metricsToken, peerOf }: Deps): Route[] => [
  page("GET", "/metrics", ({ request, set }) => {
    if (metricsToken === null) assertLocal(request, peerOf)
    else assertToken(request, metricsToken)
    const format = formatFor(request.headers.get("accept"))
    set.headers["content-type"] = formats[format]
    return textOf(families(), format)
  }),
]

function assertToken(request: Request, token: string): void {
  const given = readBearer(request)
  if (given === null || !sameSecret(given, token))
    throw new Refusal("UNAUTHORIZED", "Send the token of --metrics-token as a bearer token.")
}

/** The headers by which proxies say for whom they ask. */
const forwarding = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
]

/** A proxy on this machine forwards requests from everywhere, so what it has forwarded is not local. */
function assertLocal(request: Request, peerOf: Deps["peerOf"]): void {
  if (isLoopback(peerOf(request)) && !forwarding.some((name) => request.headers.has(name))) return
  throw new Refusal(
    "FORBIDDEN",
    "Only programs on the machine of the server may read the metrics, and not through a proxy. For others, start the server with --metrics-token.",
  )
}
