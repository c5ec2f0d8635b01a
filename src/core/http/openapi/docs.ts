import scalar from "../../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" }
import { html, toText } from "../../lib/html"
import { once } from "../../lib/shared-runs"
import { packGzip } from "../../lib/pack"
import script from "./docs-page/page.js" with { type: "file" }
import style from "./docs-page/page.css" with { type: "file" }
import { answerFile, etagOfBytes } from "../answer/file-answer"
import type { OpenApiDocument } from "./openapi"
import { askAgain } from "../answer/record-answer"
import { page as route, type Route } from "../route/route"
import { guideFiles, guidePage, llmsText, wholeGuide } from "./guide"
import { tagGroupsOf, tagsByName } from "./tags"
import type { Resource } from "../../kind/define"
import { operators } from "../../store/filter"
import { hasOperator } from "./parameters"

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
          <link rel="alternate" type="text/plain" title="For language models" href="/llms.txt" />
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

/**
 * /openapi.json, and /docs that shows it after the guide, which loads nothing from other sites. /llms.txt leads programs that
 * read texts to the pages of the guide in Markdown.
 */
export function docsRoutes(
  document: () => OpenApiDocument,
  url: () => string,
  kinds: readonly Resource[],
): Route[] {
  const plain = async () => Buffer.from(JSON.stringify(document()))
  const guided = async () => Buffer.from(JSON.stringify(await guidedDocument(document(), url(), kinds)))
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
    packedRoute("/llms.txt", "text/plain; charset=utf-8", async () =>
      Buffer.from(await llmsText(document().info, url())),
    ),
    ...guideFiles.map((file) =>
      packedRoute(`/docs/guide/${file}`, "text/markdown; charset=utf-8", async () =>
        Buffer.from(await guidePage(file, url())),
      ),
    ),
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

/**
 * Returns the API document as /docs shows it. Its description is the guide, because Scalar shows the headings of the
 * description in its sidebar and its search. /openapi.json, which generators read, does not contain the guide.
 */
async function guidedDocument(document: OpenApiDocument, url: string, kinds: readonly Resource[]) {
  const { title, version } = document.info
  const known = tagsByName(kinds)
  return {
    ...document,
    info: { title, version, description: await wholeGuide(url) },
    // The address of the page. The public URL may be another, and the page may send requests only to its own.
    servers: [{ url: "/", description: "This Kontor" }],
    externalDocs: { url: "/openapi.json", description: "The API document, for generators" },
    tags: document.tags.map((tag) => ({ ...tag, "x-displayName": known[tag.name]?.title ?? tag.name })),
    "x-tagGroups": Object.entries(tagGroupsOf(kinds)).map(([name, tags]) => ({
      name,
      tags: Object.keys(tags),
    })),
    paths: withSamples(document.paths, variablesOf(kinds)),
  }
}

type Paths = OpenApiDocument["paths"]
type Operation = Paths[string][string]
type Given = NonNullable<Operation["parameters"]>[number]

/** The shell variables of samples. The guide uses the same. */
type Variables = {
  /** For the ID or another key of a record, by the path segment before it. */
  bySegment(segment: string): string
  /** For an example ID in a body, by the prefix of the ID. */
  byPrefix: Readonly<Record<string, string>>
}

/** A variable is the singular in capitals, such as CREDIT_NOTE, unless the kind declares another one. */
function variablesOf(kinds: readonly Resource[]): Variables {
  const declared = new Map(kinds.map(({ name, variable }) => [name, variable] as const))
  const bySegment = (segment: string) => declared.get(segment) ?? capitals(segment)
  const ofKinds = kinds.map(({ idPrefix, name }) => [idPrefix, bySegment(name)])
  const ofLines = kinds.flatMap(({ lineVariables = {} }) => Object.entries(lineVariables))
  return { bySegment, byPrefix: Object.fromEntries([...ofKinds, ...ofLines]) }
}

/** credit-notes → CREDIT_NOTE, externalId → EXTERNAL_ID. */
const capitals = (segment: string): string =>
  segment
    .replace(/ies$/, "y")
    .replace(/s$/, "")
    .replaceAll(/-|(?=[A-Z])/g, "_")
    .toUpperCase()

/**
 * Returns the operations as /docs shows them, each with a curl command. Scalar's own commands contain a token in single
 * quotes. These commands use the variables $KONTOR and $TOKEN and variables for IDs, so that they can be run after the
 * samples of the guide. A filter is shown once, and not again with each operator: the lists would be too long to read.
 */
const withSamples = (paths: Paths, variables: Variables) =>
  mapValues(paths, (methods, path) =>
    mapValues(methods, ({ parameters, ...operation }, method) => ({
      ...operation,
      ...(parameters ? { parameters: parameters.filter((each) => !isWithOperator(each)) } : {}),
      "x-codeSamples": [
        {
          lang: "bash",
          label: "curl",
          source: commandOf(method, path, { ...operation, parameters }, variables),
        },
      ],
    })),
  )

/** True for a filter such as `orderDate[gte]`, or a reference to one. */
const isWithOperator = (parameter: Given): boolean =>
  "$ref" in parameter ? withOperator.test(parameter.$ref) : hasOperator(parameter.name)
const withOperator = new RegExp(`\\.(${operators.join("|")})$`)

const mapValues = <T, R>(of: Record<string, T>, change: (value: T, name: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]))

/** How a sample stores a response of this type, or what a redirect leads to. */
const downloads = {
  "application/vnd.sqlite3": "-o kontor-download.db",
  "application/pdf": "-o kontor-document.pdf",
  "302": "-L -o kontor-document.pdf",
  "image/*": "-o kontor-logo",
  "application/zip": "-o kontor-export.zip",
}

function commandOf(method: string, path: string, operation: Operation, variables: Variables): string {
  const key = ownParameters(operation).find(({ name }) => name === "field" && path.includes("{field}"))
  const place = path
    .replace("{field}", String(key?.schema.enum?.[0] ?? "{field}"))
    .replace(/^\/(?!api\/v1)/, "${KONTOR%/api/v1}/")
    .replace("/api/v1/", "$KONTOR/")
    .replaceAll(/([\w-]+)\/\{\w+\}/g, (_, segment: string) => `${segment}/$${variables.bySegment(segment)}`)
  const download = downloadOf(operation)
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"${place}${queryOf(operation)}"`,
    ...credentialOf(operation),
    ...ownParameters(operation)
      .filter(({ name }) => name === "Idempotency-Key")
      .map(() => `-H "Idempotency-Key: ${operation.operationId}-$(date +%s%N)"`),
    ...(download ? [download] : []),
    ...bodyOf(operation.requestBody?.content ?? {}, place, variables),
  ].join(" \\\n  ")
}

/** How a sample stores the response, unless it is JSON when nothing else is asked for. */
function downloadOf({ responses }: Operation): string | undefined {
  const types = JSON.stringify(Object.entries(responses).filter(([status]) => status < "400"))
  if (types.includes('"application/json"')) return undefined
  return Object.entries(downloads).find(([type]) => types.includes(`"${type}"`))?.[1]
}

function credentialOf({ security }: Operation): string[] {
  if (security === undefined || security.some((each) => "bearer" in each))
    return ['-H "Authorization: Bearer $TOKEN"']
  return security.length > 0 ? ['-u "$CLIENT:$CLIENT_SECRET"'] : []
}

function bodyOf(
  content: Partial<Record<string, { example?: unknown }>>,
  place: string,
  { byPrefix }: Variables,
): string[] {
  const body = content["application/json"]?.example
  const form = content["application/x-www-form-urlencoded"]?.example as Record<string, string> | undefined
  if (form) return Object.entries(form).map(([name, value]) => `--data-urlencode "${name}=${value}"`)
  const [file] = Object.keys(content).filter((type) => type.startsWith("image/"))
  if (file) return [`-H 'Content-Type: ${file}'`, `--data-binary @logo.${file.slice("image/".length)}`]
  if (content["text/csv"]) return ["-H 'Content-Type: text/csv'", "--data-binary @items.csv"]
  return body
    ? ["-H 'Content-Type: application/json'", `-d @- <<JSON\n${written(body, place, byPrefix)}\nJSON`]
    : []
}

/** The parameters that are not shared with other operations. */
const ownParameters = ({ parameters = [] }: Operation) => parameters.filter((each) => "name" in each)

/** Returns the query string of the required parameters, with their examples. */
function queryOf(operation: Operation): string {
  const required = ownParameters(operation).filter((each) => each.in === "query" && each.required)
  const sent = required.map(({ name, schema }) => [name, String(schema.examples?.[0] ?? schema.const ?? "")])
  // A variable of the shell must stay as it is.
  return sent.length > 0 ? `?${new URLSearchParams(sent)}`.replaceAll("%24", "$") : ""
}

/**
 * Returns JSON with variables instead of example IDs. The shell expands them, because `<<JSON` is not quoted. The ID of
 * another record of the same kind as the one in the path is called like its field.
 */
const written = (body: unknown, place: string, byPrefix: Variables["byPrefix"]): string =>
  JSON.stringify(body, null, 2).replaceAll(
    /(?:"(\w+)": )?"(\w+)_01[0-9a-z]{24}"/g,
    (given, field: string | undefined, prefix: string) => {
      const usual = byPrefix[prefix]
      if (!usual) return given
      const variable = field && place.includes(`$${usual}/`) ? capitals(field) : usual
      return `${field ? `"${field}": ` : ""}"$${variable}"`
    },
  )
