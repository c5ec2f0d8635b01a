import type { Database } from "../../core/engine/engine"
import type { Actor } from "../../core/write/writer"
import { networkOf } from "../../core/http/request/address"
import { real } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { deletePlacesBefore, hasPlace, writePlace } from "./store"

const memory = 90 * 24 * 60 * 60_000
const mostPerUser = 50

/** The networks from which each user signed in recently. A sign-in from one of them is unlikely to be a guess. */
export function signInPlaces(db: Database) {
  const since = () => later(real.now(), -memory)
  return {
    knows: (user: string, { ip }: Actor): boolean =>
      ip !== null && hasPlace(db, user, networkOf(ip), since()),

    /** Runs inside the write of a sign-in. */
    note(user: string, { ip }: Actor): void {
      if (ip !== null) writePlace(db, { user, network: networkOf(ip), at: real.now() }, mostPerUser)
    },

    /** Maintenance: deletes the networks from which nobody has signed in for a long time. */
    deleteExpired: (): void => deletePlacesBefore(db, since()),
  }
}

export type SignInPlaces = ReturnType<typeof signInPlaces>
