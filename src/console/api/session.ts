import { useSyncExternalStore } from "react"
import { clock } from "../clock"
import { t } from "../texts"
import { ApiError, assertOk, send } from "./send"

type User = { id: string; email: string; name: string; role: string }
type SignedIn = { token: string; expiresIn: number; user: User; idleMinutes: number; isDemo?: boolean }

/**
 * unknown: not checked yet; silent: the server did not respond correctly; out: signed out; in: signed in; locked: the
 * session has expired, and the user must sign in again to continue.
 */
export type Session = { state: "unknown" | "silent" | "out" | "in" | "locked"; user: User | null }

/** Storage keys that the tabs share. They store that a user is signed in, but never the token. */
const signedInUser = "kontor.signed-in"
const signedInAt = "kontor.entered-at"
const lastSeenAt = "kontor.last-seen"
const signingOut = "kontor.leaving"
const path = "/console/session"
const second = 1_000

let session: Session = { state: "unknown", user: null }
let accessToken: { token: string; receivedAt: number; expiresAt: number } | null = null
let idleTime = Infinity
let isOfDemo = false
let renewing: Promise<string> | null = null
const listeners = new Set<() => void>()
/** API calls that wait until the user has signed in again. */
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

/** True if the server is a demo, after the user has signed in. */
export const isDemo = (): boolean => isOfDemo

const enter = ({ token, expiresIn, user, idleMinutes, isDemo = false }: SignedIn): string => {
  isOfDemo = isDemo
  const isOther = session.user !== null && session.user.id !== user.id
  const now = clock.real()
  accessToken = { token, receivedAt: now, expiresAt: now + (expiresIn - 30) * second }
  idleTime = idleMinutes * 60 * second
  localStorage.setItem(signedInUser, user.id)
  localStorage.removeItem(signingOut)
  if (session.state !== "in") {
    localStorage.setItem(signedInAt, String(now))
    localStorage.setItem(lastSeenAt, String(now))
  }
  const callers = waiting.splice(0)
  if (isOther) {
    // A different user signed in. They must not see the open pages of the previous user or save them as their own.
    for (const { reject } of callers) reject(signedOut())
    location.assign("/console/")
  }
  set({ state: "in", user })
  for (const { resolve } of callers) resolve(token)
  return token
}

const leave = (state: "out" | "locked") => {
  accessToken = null
  if (state === "out") {
    localStorage.removeItem(signedInUser)
    for (const { reject } of waiting.splice(0)) reject(signedOut())
  }
  set({ state, user: state === "locked" ? session.user : null })
}

const signedOut = () =>
  new ApiError(
    401,
    "SIGNED_OUT",
    t(($) => $.problems.signedOut),
  )

const ask = async (method: "POST" | "DELETE", url: string, body?: object): Promise<SignedIn> => {
  const response = await assertOk(await send(method, url, { body }))
  return response.status === 204 ? (undefined as never) : (await response.json()).data
}

/** Checks whether there is still a session. Only status 401 means signed out; other errors may be temporary. */
export async function resume(): Promise<void> {
  try {
    if (localStorage.getItem(signingOut) !== null) await endSession()
    if (localStorage.getItem(signedInUser) === null && !hasArrived()) return leave("out")
    await renew()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) leave("out")
    else set({ state: "silent", user: null })
  }
}

/** True on the way back from a provider, whose sign-in has set the cookie. */
function hasArrived(): boolean {
  if (location.hash !== "#signed-in") return false
  history.replaceState(null, "", location.pathname + location.search)
  return true
}

export const signIn = async (email: string, password: string, code: string | null = null): Promise<void> =>
  void enter(await ask("POST", path, { email, password, ...(code === null ? {} : { code }) }))

/** Signs in with a passkey that the browser has. */
export async function signInByPasskey(): Promise<void> {
  const options = await assertOk(await send("POST", "/api/v1/auth/passkeys/sign-in/options", {}))
  const { startAuthentication } = await import("@simplewebauthn/browser")
  const response = await startAuthentication({ optionsJSON: (await options.json()).data }).catch(() => null)
  // The user has closed the dialog of the browser, which says itself what was wrong.
  if (response !== null) enter(await ask("POST", `${path}/passkey`, { response }))
}

const endings = new Set<() => Promise<unknown>>()

/** Adds work that needs the session and is done before the user signs out. It must not fail. */
export const beforeSignOut = (work: () => Promise<unknown>): void => void endings.add(work)

/** Signs out in this browser. If the server does not respond, the console retries when it is opened again. */
export async function signOut(): Promise<void> {
  await finish()
  localStorage.setItem(signingOut, "yes")
  await endSession().catch(() => {})
  leave("out")
}

/** Signs out on every device. */
export async function signOutEverywhere(): Promise<void> {
  await finish()
  await assertOk(await send("POST", "/api/v1/auth/logout-all", {}, await currentToken()))
  await signOut()
}

const finish = (): Promise<unknown> => Promise.all([...endings].map((work) => work()))

async function endSession(): Promise<void> {
  await ask("DELETE", path)
  localStorage.removeItem(signingOut)
}

const renew = (): Promise<string> =>
  (renewing ??= ask("POST", `${path}/refresh`)
    .then(enter)
    .finally(() => (renewing = null)))

/** Returns a valid token. If there is none, waits until the user has signed in again. */
export async function currentToken(): Promise<string> {
  if (accessToken && accessToken.expiresAt > clock.real()) return accessToken.token
  return session.state === "locked" ? waitForSignIn() : renewedToken(accessToken?.token ?? "")
}

/** Returns a new token to replace one that the server rejected. */
export async function renewedToken(refused: string): Promise<string> {
  if (accessToken && accessToken.token !== refused) return accessToken.token
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

let notedAt = 0

/**
 * Records user activity for all tabs and renews the session long before its idle timeout. The server counts the idle
 * time from the last renewal, so the session of an active user must be renewed early enough.
 */
function noteActivity(): void {
  const now = clock.real()
  if (session.state !== "in" || now - notedAt < 5 * second) return
  notedAt = now
  localStorage.setItem(lastSeenAt, String(now))
  const isOld =
    accessToken &&
    now - accessToken.receivedAt > Math.min(accessToken.expiresAt - accessToken.receivedAt, idleTime) / 4
  if (isOld) renew().catch(() => {})
}
for (const event of ["pointerdown", "keydown"])
  window.addEventListener(event, noteActivity, { passive: true, capture: true })

// Locks the console if no tab had activity for the idle time from the settings. The pages keep their content.
setInterval(() => {
  if (session.state !== "in") return
  const lastSeen = Number(localStorage.getItem(lastSeenAt) ?? clock.real())
  if (clock.real() - lastSeen < idleTime) return
  void ask("DELETE", path).catch(() => {})
  leave("locked")
}, 10 * second)

// Signing out in one tab signs out the other tabs. Signing in again in one tab unlocks them.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key === signedInUser && newValue === null && session.state !== "out") leave("out")
  if (
    key === signedInAt &&
    session.state === "locked" &&
    localStorage.getItem(signedInUser) === session.user?.id
  )
    renew().catch(() => {})
})
