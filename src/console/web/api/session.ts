import { useSyncExternalStore } from "react"
import { ApiError, assertOk, send } from "./client"

type User = { id: string; email: string; name: string; role: string }
type SignedIn = { token: string; expiresIn: number; user: User; idleMinutes: number }

/** unknown: not asked yet; out: nobody; in: somebody; locked: somebody who has to sign in again to go on. */
export type Session = { state: "unknown" | "out" | "in" | "locked"; user: User | null }

/** Only whether somebody is signed in is kept beyond the page; the token itself never is. */
const hint = "kontor.signed-in"
const path = "/console/session"

let session: Session = { state: "unknown", user: null }
let held: { token: string; expiresAt: number } | null = null
let idleMinutes = 0
let lastSeen = Date.now()
let renewing: Promise<string> | null = null
const listeners = new Set<() => void>()
/** Calls that wait until the person has signed in again. */
let waiting: { resolve: (token: string) => void; reject: (error: unknown) => void }[] = []

const set = (next: Session) => {
  session = next
  for (const tell of listeners) tell()
}

export const useSession = (): Session =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => session,
  )

const enter = ({ token, expiresIn, user, idleMinutes: minutes }: SignedIn): string => {
  const isOther = session.user !== null && session.user.id !== user.id
  held = { token, expiresAt: Date.now() + (expiresIn - 30) * 1000 }
  idleMinutes = minutes
  lastSeen = Date.now()
  localStorage.setItem(hint, user.id)
  // What another person left open is not for this one to see.
  if (isOther) location.assign("/console/")
  set({ state: "in", user })
  for (const { resolve } of waiting.splice(0)) resolve(token)
  return token
}

const leave = (state: "out" | "locked") => {
  held = null
  if (state === "out") {
    localStorage.removeItem(hint)
    for (const { reject } of waiting.splice(0))
      reject(new ApiError(401, "SIGNED_OUT", "You have signed out."))
  }
  set({ state, user: state === "locked" ? session.user : null })
}

const ask = async (method: "POST" | "DELETE", url: string, body?: object): Promise<SignedIn> => {
  const response = await assertOk(await send(method, url, { body }))
  return response.status === 204 ? (undefined as never) : (await response.json()).data
}

/** Finds out whether somebody is still signed in here from before. */
export async function resume(): Promise<void> {
  if (localStorage.getItem(hint) === null) return leave("out")
  await renew().catch(() => leave("out"))
}

export const signIn = async (email: string, password: string): Promise<void> =>
  void enter(await ask("POST", path, { email, password }))

/** Signs out here; what the server cannot be told now it finds out by itself when the session has been idle. */
export async function signOut(): Promise<void> {
  await ask("DELETE", path).catch(() => {})
  leave("out")
}

/** Signs out on every device. */
export async function signOutEverywhere(): Promise<void> {
  await assertOk(await send("POST", "/api/v1/auth/logout-all", {}, await currentToken()))
  await signOut()
}

const renew = (): Promise<string> =>
  (renewing ??= ask("POST", `${path}/refresh`)
    .then(enter)
    .finally(() => (renewing = null)))

/** A token that is good for a while; where there is none any more, waits for the person to sign in again. */
export async function currentToken(): Promise<string> {
  if (held && held.expiresAt > Date.now()) return held.token
  return session.state === "locked" ? waitForSignIn() : again(held?.token ?? "")
}

/** A token in the place of one that was refused. */
export async function again(refused: string): Promise<string> {
  if (held && held.token !== refused) return held.token
  try {
    return await renew()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    if (session.user === null) throw error
    leave("locked")
    return waitForSignIn()
  }
}

const waitForSignIn = () =>
  new Promise<string>((resolve, reject) => {
    waiting.push({ resolve, reject })
  })

// Whoever has not touched the page for as long as the settings say must sign in again; what is on the page stays.
for (const event of ["pointerdown", "keydown"])
  addEventListener(event, () => void (lastSeen = Date.now()), { passive: true, capture: true })
setInterval(() => {
  if (session.state !== "in" || Date.now() - lastSeen < idleMinutes * 60_000) return
  void ask("DELETE", path).catch(() => {})
  leave("locked")
}, 10_000)

// Signing out in one tab signs out the others.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key === hint && newValue === null && session.state !== "out") leave("out")
})
