/** What a story has seen. The test compares it with what is true. */
export type Told = {
  /** The item codes of a filtered list. */
  found: string[]
  /** The item codes of all pages of a list. */
  pages: string[][]
  /** The price after a partial change. */
  price: number
  /** True when the change has left all other fields as they were. */
  otherFields: boolean
  /** What a changed line of an order has kept. */
  line: { id: boolean; rate: boolean; discount: boolean; quantity: number | undefined }
  refusal: { status: number | undefined; code: string; fields: string[] }
  /** What dry runs answered where a write gives a number, and how many records of each list there were after them. */
  dryRuns: { numbers: (string | null)[]; total: number; left: number[] }
}

/** What a story uses of `fetch`. */
export type Fetch = (input: Request) => Promise<Response>

/** True when two records differ at most in the named fields. */
export function sameBut<T extends object>(
  names: readonly (keyof T & string)[],
  before: T,
  after: T,
): boolean {
  const rest = (record: T) =>
    JSON.stringify(Object.entries(record).filter(([name]) => !(names as readonly string[]).includes(name)))
  return rest(before) === rest(after)
}

type Line = { id: string; rate: number; discount: number; quantity: number }

export const tell = (before: Line, after: Line | undefined): Told["line"] => ({
  id: after?.id === before.id,
  rate: after?.rate === before.rate,
  discount: after?.discount === before.discount,
  quantity: after?.quantity,
})
