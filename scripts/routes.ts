// Writes docs/routes.md: every route with what it needs, takes and answers, from the list that the program uses.
import type { Route } from "../src/http/route"
import { appInMemory } from "../src/server/in-memory"

/** The list of routes as a page. */
export function routesPage(): string {
  const { routes, close } = appInMemory()
  close()
  const api = routes.filter(({ isHidden }) => !isHidden)
  const pages = routes.filter(({ isHidden }) => isHidden)
  return `# Routes

Made from \`src/routes.ts\` by \`bun scripts/routes.ts\`; a test says when it is stale. A right is an area and a scope
(\`src/shared/rights.ts\` says which role has it); \`person\` is for people who signed in, and not for keys or applications;
\`no apps\` is not for applications. A run reads, writes inside the group commit, posts (a write whose answer is kept under
the Idempotency-Key), or handles everything itself.

| Method | Path | Right | Body | Answer | Run | Operation |
|---|---|---|---|---|---|---|
${api.map(rowOf).join("\n")}

## No part of the API

${pages.map(({ method, path }) => `- \`${method} ${path}\``).join("\n")}
`
}

function rowOf(route: Route): string {
  const { method, path, may, body, answer, run, id } = route
  const right = may
    ? [`${may.area}: ${may.scope}`, may.personal && "person", may.notForApplications && "no apps"]
    : ["open"]
  const cells = [
    method,
    `\`${path}\``,
    right.filter(Boolean).join(", "),
    body ? nameOf(body.schema) + (body.isOptional ? " (optional)" : "") : "",
    `${answer.status}${answer.schema ? ` ${answer.type ?? nameOf(answer.schema)}` : ""}`,
    Object.keys(run)[0],
    id,
  ]
  return `| ${cells.join(" | ")} |`
}

type Named = { $ref?: string; $id?: string; type?: unknown; items?: Named; properties?: object }

/** The name of a schema, or what it holds. */
function nameOf({ $ref, $id, type, items, properties }: Named): string {
  if ($ref || $id) return ($ref ?? $id ?? "").split("/").at(-1) ?? ""
  if (type === "array" && items) return `${nameOf(items)}[]`
  return properties ? `{ ${Object.keys(properties).slice(0, 5).join(", ")} }` : "{}"
}

if (import.meta.main) await Bun.write("docs/routes.md", routesPage())
