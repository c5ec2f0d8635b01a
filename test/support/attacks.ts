import { expect, test } from "bun:test"
import { signIn, type Answer, type Api } from "./api"
import { adminPassword, type Kontor } from "./kontor"

/** One attack: its title, the request, and the only correct response (code null means no error). */
export type Attack = [title: string, send: () => Promise<Answer>, status: number, code: string | null]

/** Runs each attack of a table and checks the response, which must not reveal internals. */
export function testAttacks(table: Attack[]): void {
  test.each(table)("%s", async (_, send, status, code) => {
    const answer = await send()
    expect([answer.status, answer.body?.error?.code ?? null]).toEqual([status, code])
    showsNothing(answer)
  })
}

/** Checks that a response has no stack trace, SQL, file path or secret. */
export function showsNothing({ text }: Pick<Answer, "text">): void {
  expect(text).not.toMatch(
    /\bat .+:\d+:\d+|SQLITE|SELECT .+ FROM|INSERT INTO|node_modules|\.ts:\d|\$argon2id/,
  )
}

export const roles = ["viewer", "sales", "shop", "accountant", "manager", "admin"] as const
export type Role = (typeof roles)[number]

/** A signed-in user of each role. */
export async function everyRole(kontor: Kontor, admin: Api): Promise<Record<Role, Api>> {
  const people: Partial<Record<Role, Api>> = {}
  for (const role of roles) {
    const email = `${role}@attack.example`
    await admin.create("/users", { email, name: role, role, password: adminPassword })
    people[role] = await signIn(kontor, email, adminPassword)
  }
  return people as Record<Role, Api>
}

/** Runs `work` concurrently, `times` times. */
export const atOnce = <T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)))

/** Counts the responses by status and code. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = [status, body?.error?.code].filter(Boolean).join(" ")
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
