import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { signIn, type Api } from "./api"
import { serve, type Kontor } from "./kontor"
import { postgres, type PostgresServer } from "./postgres"
import { until } from "./until"

/** A server, and a client that has signed in there. */
export type Member = Kontor & { api: Api }

const leads = "This server runs the jobs and sends the webhooks and the mail of the database."

/** How often a server has become the leader. */
export const termsOf = ({ output }: Kontor): number => output.stderr.split(leads).length - 1

/** Several servers that share one database of PostgreSQL. */
export async function several(count: number, args: string[] = []) {
  const server: PostgresServer = await postgres()
  const url = server.createDatabase("shop")
  const start = async (): Promise<Member> => {
    const kontor = await serve({ args: ["--db", url, ...args] })
    return { ...kontor, api: await signIn(kontor) }
  }
  const members = await Promise.all(Array.from({ length: count }, start))
  await until(() => members.some((member) => termsOf(member) > 0))
  return {
    server,
    url,
    members,
    start,
    /** The only server among some that has become the leader, and the others. */
    split(among: readonly Member[] = members): { leader: Member; others: Member[] } {
      const leaders = among.filter((member) => termsOf(member) > 0)
      const [leader] = leaders
      if (!leader || leaders.length > 1) throw new Error(`${leaders.length} servers have become the leader.`)
      return { leader, others: among.filter((member) => member !== leader) }
    },
    /** Runs work with a connection to the database, as another program. */
    inDatabase<T>(work: (db: PostgresDatabase) => T): T {
      const db = new PostgresDatabase(url)
      try {
        return work(db)
      } finally {
        db.close()
      }
    },
  }
}

export type Several = Awaited<ReturnType<typeof several>>
