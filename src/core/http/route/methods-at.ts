type Route = { method: string; path: string }

/** The methods of a path, for the Allow header of a 405. GET includes HEAD. */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const parts = path.split("/")
  return ["GET", "POST", "PUT", "PATCH", "DELETE"]
    .filter((method) =>
      routes.some((route) => route.method === method && matches(route.path.split("/"), parts)),
    )
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
}

const matches = (template: readonly string[], parts: readonly string[]): boolean =>
  template.length === parts.length &&
  template.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i]))
