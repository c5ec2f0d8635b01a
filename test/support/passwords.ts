// To hash or to check a password takes 50 ms of CPU time, and most tests only need users. So a server in the process of the
// tests remembers the results: a password that was hashed gets the same hash again, and one that was compared with a hash is
// not compared with it again. What is stored and answered is what the library has returned.
import { mock } from "bun:test"
import argon2 from "argon2"

const { hash, verify } = argon2
const hashes = new Map<string, Promise<string>>()
const checks = new Map<string, Promise<boolean>>()
let isUsual = false

function remembered<T>(results: Map<string, Promise<T>>, about: unknown[], make: () => Promise<T>) {
  const key = JSON.stringify(about)
  const result = (isUsual ? undefined : results.get(key)) ?? make()
  results.set(key, result)
  return result
}

/** Replaces the library in this process. */
export const rememberPasswords = () =>
  mock.module("argon2", () => ({
    default: {
      ...argon2,
      hash: (password: string, options: Parameters<typeof hash>[1]) =>
        remembered(hashes, [password, options], () => hash(password, options)),
      verify: (digest: string, password: string) =>
        remembered(checks, [digest, password], () => verify(digest, password)),
    },
  }))

/** A test in which passwords take their usual time: its requests meet while they are hashed. */
export const withUsualPasswords = (act: () => Promise<void>) => async (): Promise<void> => {
  isUsual = true
  await act().finally(() => (isUsual = false))
}
