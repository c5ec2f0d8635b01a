import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { digestOf, newSecret, sameSecret } from "../../core/lib/secret"
import { deleteSetupParts, findSetupPart, writeSetupPart } from "./store"

/**
 * The link that creates the first admin. The file contains the digest of its token, so that `kontor setup-link` can
 * replace the link while the server runs.
 */
export function setupLink(db: Database) {
  return {
    /** Creates a new link. The one before it no longer works. */
    renew(_tx: Tx, address: string): string {
      const token = newSecret()
      writeSetupPart(db, "setup-token", digestOf(token))
      writeSetupPart(db, "setup-address", address)
      return `${address}/setup#token=${token}`
    },

    /** The URL of the last server without an admin; null if there was none. */
    address: (): string | null => findSetupPart(db, "setup-address"),

    isToken(token: unknown): boolean {
      const digest = findSetupPart(db, "setup-token")
      return digest !== null && typeof token === "string" && sameSecret(digestOf(token), digest)
    },

    /** Runs when there is an admin. */
    remove: (_tx: Tx): void => deleteSetupParts(db),
  }
}

export type SetupLink = ReturnType<typeof setupLink>
