import { adminEmail, adminPassword } from "../../test/support/kontor"

/** A response. Its body depends on the request, so it is not typed. */
// eslint-disable-next-line typescript/no-explicit-any
export type Answer = { status: number; headers: Headers; body: any }
export type Client = ReturnType<typeof clientOf>

/** A client of a server with one credential. Throws when there is no response. */
export function clientOf(url: string, credential: Record<string, string>) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...credential,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
  }
  return {
    url,
    call,
    /** Returns a record, or null when it does not exist. */
    async find(path: string): Promise<Found | null> {
      const { status, body } = await call("GET", path)
      if (status === 404) return null
      if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${JSON.stringify(body)}`)
      return body.data
    },
    /** Downloads a file of a document. The data are its path and its hash, which must be its ETag. */
    async download(path: string, headers: Record<string, string> = {}): Promise<Answer> {
      const response = await fetch(`${url}/api/v1${path}`, { headers: { ...credential, ...headers } })
      const bytes = new Uint8Array(await response.arrayBuffer())
      const answer = { status: response.status, headers: response.headers }
      if (answer.status !== 200) return { ...answer, body: JSON.parse(new TextDecoder().decode(bytes)) }
      const sha256 = Bun.SHA256.hash(bytes, "hex")
      const etag = answer.headers.get("etag")
      if (etag !== `"${sha256}"`) throw new Error(`GET ${path} has the ETag ${etag} and the hash ${sha256}.`)
      return { ...answer, body: { data: { id: path, sha256 } } }
    },
    /** Returns all records of a kind, or those that a filter selects. */
    async all(kind: string, filter = ""): Promise<Found[]> {
      const found: Found[] = []
      for (let cursor: string | null = ""; cursor !== null;) {
        const more: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""
        const { status, body } = await call("GET", `/${kind}?perPage=100&order=asc${filter}${more}`)
        if (status !== 200) throw new Error(`GET /${kind} returned ${status}: ${JSON.stringify(body)}`)
        found.push(...body.data)
        cursor = body.meta.nextCursor
      }
      return found
    },
  }
}

export type Found = Record<string, unknown> & { id: string }

/** Signs in as the first admin. The token stays valid after restarts, because the session is stored in the file. */
export async function signIn(url: string, requestId = crypto.randomUUID()): Promise<Record<string, string>> {
  const { status, body } = await clientOf(url, {}).call(
    "POST",
    "/auth/login",
    { email: adminEmail, password: adminPassword },
    { "x-request-id": requestId },
  )
  if (status !== 200) throw new Error(`Signing in returned ${status}: ${JSON.stringify(body)}`)
  return { authorization: `Bearer ${body.data.token}` }
}
