/**
 * How far the events of a webhook were sent for the first time: all up to `position`. A kind in `ahead` is further: all of
 * its events up to a position of its own were sent, and single ones after that.
 */
export type Progress = { position: number; ahead: Readonly<Record<string, Ahead>> }
type Ahead = { position: number; sent: readonly number[] }

/** The progress of a webhook that gets the events after a position. */
export const progressAt = (position: number): Progress => ({ position, ahead: {} })

/** Returns the number of the event up to which all events of a kind were sent. */
export const positionOf = ({ position, ahead }: Progress, kind: string): number =>
  Math.max(position, ahead[kind]?.position ?? 0)

/** True if an event was sent. */
export const isSent = (progress: Progress, { kind, seq }: { kind: string; seq: number }): boolean =>
  seq <= positionOf(progress, kind) || (progress.ahead[kind]?.sent.includes(seq) ?? false)

/**
 * Returns all that one of two progresses has. What was sent stays so: a server that is no longer the leader, or a result
 * that comes late, sets nothing back.
 */
export function merged(a: Progress, b: Progress): Progress {
  const position = Math.max(a.position, b.position)
  const ahead: Record<string, Ahead> = {}
  for (const kind of new Set([...Object.keys(a.ahead), ...Object.keys(b.ahead)])) {
    const own = Math.max(positionOf(a, kind), positionOf(b, kind))
    const all = new Set([...(a.ahead[kind]?.sent ?? []), ...(b.ahead[kind]?.sent ?? [])])
    const sent = [...all].filter((seq) => seq > own).toSorted((one, other) => one - other)
    if (own > position || sent.length > 0) ahead[kind] = { position: own, sent }
  }
  return { position, ahead }
}
