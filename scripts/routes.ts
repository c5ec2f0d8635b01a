// Writes docs/routes.md: every route with its right, body and response, from the program's own list.
import type { Route } from "../src/core/http/route/route"
import { appInMemory } from "../src/server/in-memory"

/** The list of routes as a Markdown page. */
export function routesPage(): string {
  const { routes, close } = appInMemory()
  close()
  const api = routes.filter(({ isHidden }) => !isHidden)
  const pages = routes.filter(({ isHidden }) => isHidden)
  return `# Routes

\`bun scripts/routes.ts\` generates this page from \`src/routes.ts\`. A test fails when the page is out of date.

The column Right contains an area and a scope; \`src/shared/rights.ts\` lists the rights of each role. The area \`own\` is
the caller's own account. \`open\` means that no credential is required. \`person\` means that only users who signed in may
use the route, not API keys or apps. \`no apps\` means that users and API keys may use it, but apps may not.

The column Run says how the route runs:

- \`read\` only reads.
- \`write\` writes in a group commit.
- \`post\` also writes in a group commit, and stores the response for the Idempotency-Key.
- \`handle\` is code that handles the whole request itself.

| Method | Path | Right | Body | Response | Run | Operation |
|---|---|---|---|---|---|---|
${api.map(rowOf).join("\n")}

## Not part of the API

${pages.map(({ method, path }) => `- \`${method} ${path}\``).join("\n")}
`
}

function rowOf(route: Route): string {
  const { method, path, may, orMay, alsoMay, body, upload, answer, run, id } = route
  const right = may
    ? [
        `${may.area}: ${may.scope}${orMay ? ` or ${orMay.scope}` : ""}${alsoMay ? ` and ${alsoMay.scope}` : ""}`,
        may.personal && "person",
        may.notForApplications && "no apps",
      ]
    : ["open"]
  const cells = [
    method,
    `\`${path}\``,
    right.filter(Boolean).join(", "),
    body ? nameOf(body.schema) + (body.isOptional ? " (optional)" : "") : (upload?.types.join(", ") ?? ""),
    `${answer.status}${answer.schema ? ` ${answer.type ?? nameOf(answer.schema)}` : ""}`,
    Object.keys(run)[0],
    id,
  ]
  return `| ${cells.join(" | ")} |`
}

type Named = { $ref?: string; $id?: string; type?: unknown; items?: Named; properties?: object }

/** The name of a schema, or its fields. */
function nameOf({ $ref, $id, type, items, properties }: Named): string {
  if ($ref || $id) return ($ref ?? $id ?? "").split("/").at(-1) ?? ""
  if (type === "array" && items) return `${nameOf(items)}[]`
  return properties ? `{ ${Object.keys(properties).slice(0, 5).join(", ")} }` : "{}"
}

if (import.meta.main) await Bun.write("docs/routes.md", routesPage())
