import scalar from "../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" }
import { html, toText } from "../lib/html"
import { once } from "../lib/once"
import { packGzip } from "../lib/pack"
import type { OpenApiDocument } from "./openapi"
import { page as route, type Route } from "./route"

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const configuration = JSON.stringify({
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  // Both would send the reader to a service elsewhere.
  agent: { disabled: true },
  mcp: { disabled: true },
})

const page = once(() =>
  toText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Kontor API</title>
        </head>
        <body>
          <script id="api-reference" data-configuration="${configuration}"></script>
          <script src="/docs/scalar.js"></script>
        </body>
      </html>`,
  ),
)

/** /openapi.json, and /docs that shows it. Nothing on the page is loaded from elsewhere. */
export function docsRoutes(document: () => OpenApiDocument): Route[] {
  const reader = once(() => Bun.file(scalar).bytes().then(packGzip))
  return [
    route("GET", "/openapi.json", document),
    route("GET", "/docs", ({ set }) => {
      set.headers["content-type"] = "text/html; charset=utf-8"
      set.headers["content-security-policy"] = policy
      return page()
    }),
    route("GET", "/docs/scalar.js", async ({ set }) => {
      set.headers["cache-control"] = "public, max-age=86400"
      return new Response(await reader(), {
        headers: { "content-type": "text/javascript; charset=utf-8", "content-encoding": "gzip" },
      })
    }),
  ]
}
