import { expect, test } from "bun:test"
import { signIn, type Answer, type Api } from "./api"
import { adminPassword, type Kontor } from "./kontor"

/** One attack: how it is told, what is sent, and the one right answer (a code of null is an answer without an error). */
export type Attack = [title: string, send: () => Promise<Answer>, status: number, code: string | null]

/** Runs each attack of a table and holds its answer against the right one, which also must not show our inside. */
export function testAttacks(table: Attack[]): void {
  test.each(table)("%s", async (_, send, status, code) => {
    const answer = await send()
    expect([answer.status, answer.body?.error?.code ?? null]).toEqual([status, code])
    showsNothing(answer)
  })
}

/** No stack, no SQL, no path of ours, no secret in an answer. */
export function showsNothing({ text }: Pick<Answer, "text">): void {
  expect(text).not.toMatch(
    /\bat .+:\d+:\d+|SQLITE|SELECT .+ FROM|INSERT INTO|node_modules|\.ts:\d|\$argon2id/,
  )
}

export const roles = ["viewer", "sales", "accountant", "manager", "admin"] as const
export type Role = (typeof roles)[number]

/** A person of each role, signed in. */
export async function everyRole(kontor: Kontor, admin: Api): Promise<Record<Role, Api>> {
  const people: Partial<Record<Role, Api>> = {}
  for (const role of roles) {
    const email = `${role}@attack.example`
    await admin.create("/users", { email, name: role, role, password: adminPassword })
    people[role] = await signIn(kontor, email, adminPassword)
  }
  return people as Record<Role, Api>
}

/** The same thing so many times at once. */
export const atOnce = <T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)))

/** How many answers had each status and code. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = [status, body?.error?.code].filter(Boolean).join(" ")
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
