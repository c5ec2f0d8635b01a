// A server with an SQL injection. If sqlmap does not find it, a result without findings elsewhere proves nothing.
import { Database } from "bun:sqlite"

export function vulnerableServer(): { url: string; parameter: string; close(): Promise<void> } {
  const db = new Database(":memory:")
  db.run("CREATE TABLE items (code TEXT, name TEXT)")
  db.run("INSERT INTO items VALUES ('A', 'Apple'), ('B', 'Bread')")
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const code = new URL(request.url).searchParams.get("code") ?? ""
      try {
        return Response.json({ data: db.query(`SELECT code, name FROM items WHERE code = '${code}'`).all() })
      } catch {
        return Response.json({ error: "bad" }, { status: 422 })
      }
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/items?code=A`,
    parameter: "code",
    close: () => server.stop(true),
  }
}
