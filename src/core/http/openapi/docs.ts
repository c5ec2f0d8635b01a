import scalar from "../../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" }
import { html, toText } from "../../lib/html"
import { once } from "../../lib/once"
import { packGzip } from "../../lib/pack"
import script from "./docs-page/page.js" with { type: "file" }
import style from "./docs-page/page.css" with { type: "file" }
import { answerFile, etagOfBytes } from "../answer/file-answer"
import { guidedDocument } from "./guide"
import type { OpenApiDocument } from "./openapi"
import { askAgain } from "../answer/record-answer"
import { page as route, type Route } from "../route/route"

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const configuration = JSON.stringify({
  url: "/docs/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  orderSchemaPropertiesBy: "preserve",
  // The button would download the document that contains the guide. The page links to /openapi.json instead.
  documentDownloadType: "none",
  // Both would send the reader to a service on the internet.
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
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="/docs/page.css" />
        </head>
        <body>
          <script src="/docs/page.js"></script>
          <script id="api-reference" data-configuration="${configuration}"></script>
          <script src="/docs/scalar.js"></script>
        </body>
      </html>`,
  ),
)

/** /openapi.json, and /docs that shows it after the guide. The page loads nothing from other sites. */
export function docsRoutes(document: () => OpenApiDocument, url: () => string): Route[] {
  const plain = async () => Buffer.from(JSON.stringify(document()))
  const guided = async () => Buffer.from(JSON.stringify(await guidedDocument(document(), url())))
  return [
    packedRoute("/openapi.json", json, plain, askAgain),
    route("GET", "/docs", ({ set }) => {
      set.headers["content-type"] = "text/html; charset=utf-8"
      set.headers["content-security-policy"] = policy
      return page()
    }),
    packedRoute("/docs/openapi.json", json, guided),
    packedRoute("/docs/page.js", javascript, () => Bun.file(script).bytes()),
    packedRoute("/docs/page.css", "text/css; charset=utf-8", () => Bun.file(style).bytes()),
    packedRoute("/docs/scalar.js", javascript, searchingScalar, "public, max-age=86400"),
  ]
}

const json = "application/json;charset=utf-8"
const javascript = "text/javascript; charset=utf-8"

/** A file that is built and compressed once, at the first request for it. */
function packedRoute(
  path: string,
  type: string,
  make: () => Promise<Uint8Array>,
  cacheControl = "no-cache",
): Route {
  const file = once(async () => {
    const bytes = await make()
    const packed = packGzip(bytes)
    return { type, etag: etagOfBytes(bytes), gzip: () => packed }
  })
  return route("GET", path, async ({ request }) =>
    answerFile(request, await file(), { "cache-control": cacheControl }),
  )
}

/**
 * Returns Scalar, changed so that its search also finds the texts of the guide's sections (`guideSection` in page.js).
 */
async function searchingScalar(): Promise<Uint8Array> {
  const source = await Bun.file(scalar).text()
  const titleOnly = /(introduction:(\w+)\.title\?\?``,description:\w+\.heading,body:)``/
  return Buffer.from(source.replace(titleOnly, "$1guideSection(arguments[2],$2.title)"))
}
