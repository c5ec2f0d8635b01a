type Dated = { id: string; createdAt: string }

/**
 * Puts the entries of a history and the messages in one order, the newest first. Of a history that goes on, only the
 * messages are shown that are newer than its last entry: the others follow with the entries of their time.
 */
export function woven<E extends Dated, M extends Dated>(
  entries: readonly E[],
  messages: readonly M[],
  isWhole: boolean,
): ({ message: M } | { entry: E })[] {
  const since = isWhole ? "" : (entries.at(-1)?.createdAt ?? "")
  const told = messages.filter(({ createdAt }) => createdAt >= since)
  const all = [...told.map((message) => ({ message })), ...entries.map((entry) => ({ entry }))]
  // A message is written by the request that it belongs to, and stands above it.
  return all.toSorted((a, b) => (timeOf(b) > timeOf(a) ? 1 : timeOf(b) < timeOf(a) ? -1 : 0))
}

const timeOf = (each: { message: Dated } | { entry: Dated }): string =>
  "message" in each ? each.message.createdAt : each.entry.createdAt
