import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { openapi } from "@elysiajs/openapi"
import scalar from "../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" }
import { Elysia } from "elysia"
import { callContext } from "./call"
import type { OpenApiDocument } from "./openapi"

const compress = promisify(gzip)
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'"

// Its type asks for every option that has a default.
type ScalarOptions = NonNullable<Parameters<typeof openapi>[0]>["scalar"]
const page = {
  cdn: "/docs/scalar.js",
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  // Both would send the reader to a service elsewhere.
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** /openapi.json, and /docs that shows it. Nothing on the page is loaded from elsewhere. */
export function docs(document: OpenApiDocument) {
  let packed: Promise<Buffer> | undefined
  return new Elysia({ name: "docs" })
    .use(callContext)
    .onRequest(function guardPage({ call, set }) {
      if (call.path === "/docs") set.headers["content-security-policy"] = policy
    })
    .use(
      openapi({
        path: "/docs",
        specPath: "/openapi.json",
        openapiVersion: "3.1.1",
        // The document is built from our own definitions; the plugin is to add nothing to it.
        exclude: { paths: [/./] },
        documentation: document as object,
        scalar: page as unknown as ScalarOptions,
      }),
    )
    .get(
      "/docs/scalar.js",
      async ({ set }) => {
        packed ??= Bun.file(scalar)
          .bytes()
          .then((bytes) => compress(bytes, { level: 9 }))
        set.headers["cache-control"] = "public, max-age=86400"
        return new Response(new Uint8Array(await packed), {
          headers: { "content-type": "text/javascript; charset=utf-8", "content-encoding": "gzip" },
        })
      },
      { detail: { hide: true } },
    )
}
