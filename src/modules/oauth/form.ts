import { OAuthFailure } from "./failure"

const mostBytes = 64 * 1024

/** The parameters of a request to one of the endpoints: each at most once, an empty one as if it were not there. */
export type Params = ReadonlyMap<string, string>

export function paramsOf(text: string): Params {
  const params = new Map<string, string>()
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name)) throw new OAuthFailure("invalid_request", `${name.slice(0, 50)} was given twice.`)
    seen.add(name)
    if (value !== "") params.set(name, value)
  }
  return params
}

/** Reads a form as the RFCs want it sent. */
export async function readForm(request: Request): Promise<Params> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthFailure("invalid_request", "Send the parameters as application/x-www-form-urlencoded.")
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) throw tooLong()
  const text = await request.text()
  if (text.length > mostBytes) throw tooLong()
  return paramsOf(text)
}

const tooLong = () => new OAuthFailure("invalid_request", "The request is too long.")
