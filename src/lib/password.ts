import { availableParallelism } from "node:os"
import { gate } from "./gate"

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Hashing fills a core: fewer at once than there are cores, so that other requests keep one. */
const inTurn = gate({
  atOnce: Math.max(1, availableParallelism() - 1),
  longest: 50,
  message: "Too many people are signing in at once. Try again in a moment.",
})

type Hasher = {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}
let hasher: Promise<Hasher> | undefined

/** Argon2id of a password, in the PHC string format. `share` names the user or network that asks; shares take turns. */
export const hashPassword = (password: string, share: string): Promise<string> =>
  inTurn(share, async () => (await loadHasher()).hash(password.normalize("NFC")))

/** True when `password` made `hash`. A hash that cannot be read matches nothing. */
export const verifyPassword = (hash: string, password: string, share: string): Promise<boolean> =>
  inTurn(share, async () => (await loadHasher()).verify(hash, password.normalize("NFC")).catch(() => false))

/** The hash of a text that nobody knows. */
const decoy =
  "$argon2id$v=19$m=19456,t=2,p=1$PadlntYmhoqm87mW4Sa2Tg$gfnV/VX88ytj54OOFcyJ284DLxipRJO8QERhC81xewI"

/** Takes as long as a real check and always fails, so that unknown addresses cannot be told by the clock. */
export async function verifyNothing(password: string, share: string): Promise<false> {
  await verifyPassword(decoy, password, share)
  return false
}

// The addon cannot be loaded from a temporary folder mounted noexec, or on a platform without a prebuilt file;
// Bun's own argon2id reads and writes the same strings.
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

// The addon writes its parameters by the alphabet; every other reader, Bun's among them, expects m, t, p.
const inUsualOrder = (hash: string): string => hash.replace(/\$(m=\d+),(p=\d+),(t=\d+)\$/, "$$$1,$3,$2$$")
