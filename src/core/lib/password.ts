import { availableParallelism } from "node:os"
import { gate } from "./gate"

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Limits concurrent hashing to fewer tasks than there are cores, because each uses a whole core. */
const inTurn = gate({
  atOnce: Math.max(1, availableParallelism() - 1),
  longest: 50,
  message: "Too many sign-ins are in progress. Try again in a moment.",
})

type Hasher = {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}
let hasher: Promise<Hasher> | undefined

/** Hashes a password with Argon2id in the PHC string format. `share` is the user or network; shares take turns. */
export const hashPassword = (password: string, share: string): Promise<string> =>
  inTurn(share, async () => (await loadHasher()).hash(password.normalize("NFC")))

/** True when `hash` is the hash of `password`. An invalid hash never matches. */
export const verifyPassword = (hash: string, password: string, share: string): Promise<boolean> =>
  inTurn(share, async () => (await loadHasher()).verify(hash, password.normalize("NFC")).catch(() => false))

/** The hash of an unknown text. */
const decoy =
  "$argon2id$v=19$m=19456,t=2,p=1$PadlntYmhoqm87mW4Sa2Tg$gfnV/VX88ytj54OOFcyJ284DLxipRJO8QERhC81xewI"

/** Takes as long as a real check and always fails, so that response times do not reveal unknown email addresses. */
export async function verifyNothing(password: string, share: string): Promise<false> {
  await verifyPassword(decoy, password, share)
  return false
}

// The native addon cannot be loaded from a temporary folder mounted noexec, or on a platform without a prebuilt file.
// Bun's own argon2id uses the same format.
function loadHasher(): Promise<Hasher> {
  hasher ??= import("argon2").then(
    ({ default: argon2 }) => ({
      hash: async (password) => inUsualOrder(await argon2.hash(password, { type: argon2.argon2id, ...cost })),
      verify: (hash, password) => argon2.verify(hash, password),
    }),
    () => ({
      hash: (password) => Bun.password.hash(password, { algorithm: "argon2id", ...cost }),
      verify: (hash, password) => Bun.password.verify(password, hash, "argon2id"),
    }),
  )
  return hasher
}

// The addon writes its parameters in alphabetical order; other implementations, including Bun's, expect m, t, p.
const inUsualOrder = (hash: string): string => hash.replace(/\$(m=\d+),(p=\d+),(t=\d+)\$/, "$$$1,$3,$2$$")
