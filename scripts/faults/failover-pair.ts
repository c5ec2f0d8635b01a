import { postgresPair } from "../../test/support/postgres-pair"
import type { Random } from "./random"

/** Two PostgreSQL servers of which one takes over from the other, as the failover test uses them. */
export type FailoverPair = {
  /** The address of a database on whichever server is the primary one. */
  url: (database: string) => string
  createDatabase: (name: string) => void
  /** True if commits wait for nobody after `takeOver`, until `repair`. */
  writesAlone: boolean
  /** Stops all processes of the standby for a while, or lets them go on. */
  freezeStandby: () => void
  thawStandby: () => void
  /** Makes the primary server fail. Returns how. */
  strike: (round: number) => string
  /** Waits until the standby is the primary server. */
  takeOver: (random: Random) => Promise<void>
  /** Waits until the server that failed is a standby that has everything. */
  repair: () => Promise<void>
  stop: () => void
}

/** A pair without a program that manages it: the test notices the failure late, and promotes the standby. */
export async function scriptedPair(isSynchronous: boolean): Promise<FailoverPair> {
  const pair = await postgresPair({ level: isSynchronous ? "on" : "local" })
  const { url, createDatabase, freezeStandby, thawStandby, repair, stop } = pair
  return {
    url,
    createDatabase,
    freezeStandby,
    thawStandby,
    repair,
    stop,
    writesAlone: true,
    strike() {
      pair.killPrimary()
      return "server killed"
    },
    async takeOver(random) {
      // Somebody has to notice it first. Meanwhile the standby can only be read.
      await Bun.sleep(random.between(0, isSynchronous ? 1_500 : 0))
      await pair.promote()
    },
  }
}
