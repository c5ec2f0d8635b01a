import { program } from "./program"

/** The first admin of most tests. */
export const adminEmail = "admin@example.com"
export const adminPassword = "correct horse battery"

/** Creates the admin in a database that has none. */
export function createAdmin(address: string): void {
  const args = [
    "users",
    "create",
    "--email",
    adminEmail,
    "--name",
    "admin",
    "--role",
    "admin",
    "--password-stdin",
  ]
  const { success, stderr } = Bun.spawnSync([...program, ...args, "--db", address], {
    stdin: Buffer.from(adminPassword),
  })
  if (!success) throw new Error(stderr.toString())
}

/** A hash of the password that takes a fraction of the usual time to compare. */
export const cheapHash = (): string =>
  Bun.password.hashSync(adminPassword, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 })
