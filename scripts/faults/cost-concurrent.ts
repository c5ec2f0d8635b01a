// Many concurrent requests: their costs add up, and other clients must still be served.
import { adminEmail, adminPassword } from "../../test/support/kontor"
import { json, type Sent } from "./cost-case"
import { largestDocument } from "./cost-documents"
import { heldSince, measured, send, type Answer, type Limits, type Result, type Target } from "./cost-measure"
import { millis } from "./cost-watch"

type Concurrent = { name: string; requests: Sent[]; during?: (url: string) => Promise<string | null> }

type Setting = { spare: Credential; admin: Credential; limits: Limits; isShort: boolean }
type Credential = Record<string, string>

const expensive = [
  "/sales-orders?sort=notes&perPage=100",
  "/invoices?perPage=100",
  "/items?description[like]=%25a%25b%25c&perPage=100",
  "/stock-movements?search=abc%20def&sort=note&perPage=100",
  "/audit-logs?perPage=100",
]

/** Sends each group of requests concurrently and measures how long other clients had to wait. */
export async function* concurrentResults(
  { spare, admin, limits, isShort }: Setting,
  targetNow: () => Target,
): AsyncGenerator<Result> {
  const times = <T>(count: number, make: (i: number) => T): T[] =>
    Array.from({ length: count }, (_, i) => make(i))
  const groups: Concurrent[] = [
    {
      name: "50 expensive lists",
      requests: times(50, (i) => ({
        method: "GET",
        path: `/api/v1${expensive[i % expensive.length]}`,
        headers: admin,
      })),
    },
    {
      name: "56 wrong passwords",
      requests: times(56, () => ({
        method: "PUT",
        path: "/api/v1/auth/password",
        headers: { ...json, ...spare },
        body: JSON.stringify({ currentPassword: "not this one", newPassword: "another password" }),
      })),
      during: signIn,
    },
    {
      name: `${isShort ? 64 : 256} invoices of 500 lines`,
      requests: times(isShort ? 64 : 256, () => ({
        method: "POST",
        path: "/api/v1/invoices",
        headers: { ...json, ...admin },
        body: largestDocument(),
      })),
    },
  ]
  // A process that has never had so many connections takes longer for the first ones, regardless of the request.
  const warmUp = { method: "POST", path: "/api/v1/invoices", headers: { ...json, ...admin }, body: "{}" }
  for (let round = 0; round < 3; round++) await Promise.all(times(256, () => send(targetNow().url, warmUp)))
  for (const group of groups) yield await measured(limits.largestHold, () => resultOf(group, targetNow()))
}

async function resultOf({ name, requests, during }: Concurrent, target: Target): Promise<Result> {
  const from = millis()
  const all = Promise.all(requests.map((sent) => send(target.url, sent)))
  const other = (await during?.(target.url)) ?? null
  const answers = await all
  const hold = await heldSince(target, from)
  const failed = answers.map(failureOf).find((failure) => failure !== null)
  return {
    operation: name,
    parameter: "concurrent",
    value: countsByStatus(answers),
    hold,
    status: answers[0]?.status ?? 0,
    problem: failed ?? other,
  }
}

/** Under overload a 503 is allowed if it has a Retry-After header. */
function failureOf({ status, failure, retryAfter }: Answer): string | null {
  if (failure) return `got no response: ${failure}`
  return status >= 500 && !(status === 503 && retryAfter) ? `returned ${status}` : null
}

/** Signs in as another user during the load. Returns an error message or null. */
async function signIn(url: string): Promise<string | null> {
  await Bun.sleep(50)
  const body = JSON.stringify({ email: adminEmail, password: adminPassword })
  const { status } = await send(url, { method: "POST", path: "/api/v1/auth/login", headers: json, body })
  return status === 200 ? null : `a concurrent sign-in returned ${status}`
}

function countsByStatus(answers: readonly Answer[]): string {
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(", ")
}
