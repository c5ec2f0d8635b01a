/** The ways in which this server compresses a body. */
export type Coding = "gzip" | "br"

/**
 * True if the client accepts the coding and does not prefer an uncompressed body (RFC 9110, 12.5.3). A client without
 * the header gets uncompressed bodies, because it may not be able to decompress.
 */
export function acceptsCoding(header: string | null, coding: Coding): boolean {
  if (header === null) return false
  const weights = weightsIn(header)
  const weight = weights.get(coding) ?? weights.get("*") ?? 0
  return weight > 0 && weight >= (weights.get("identity") ?? 0)
}

type Weights = ReadonlyMap<string, number>

/** The headers that were parsed recently. Clients send only a few different ones, and parsing takes 6 % of a request. */
const parsed = new Map<string, Weights>()
const mostParsed = 100
const longestParsed = 100

function weightsIn(header: string): Weights {
  const known = parsed.get(header)
  if (known) return known
  const weights = new Map(header.split(",").map(readElement))
  if (parsed.size >= mostParsed) parsed.clear()
  if (header.length <= longestParsed) parsed.set(header, weights)
  return weights
}

/** Reads `gzip;q=0.5`. An invalid weight counts as a refusal, because every client can use an uncompressed body. */
function readElement(element: string): [name: string, weight: number] {
  const [name = "", parameter] = element.split(";").map((part) => part.trim().toLowerCase())
  const known = name === "x-gzip" ? "gzip" : name
  if (parameter === undefined) return [known, 1]
  const [, weight] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameter) ?? []
  return [known, weight === undefined ? 0 : Number(weight)]
}
