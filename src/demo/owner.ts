import type { Caller } from "../core/caller"
import type { Database } from "../core/engine/engine"
import { newRandomSecret, newSecret } from "../core/lib/secret"
import { beforeCommit } from "../core/write/commit"
import { groupWriter, system, type Writer } from "../core/write/writer"
import { readKey } from "../office/api-keys/service"
import type { User } from "../office/users/model"
import { readNewPassword, readUser } from "../office/users/service"
import type { Services } from "../services"
import { nameCompany } from "./shop"
import type { DemoWorld } from "./world"

/** Who owns the demo shop, if the environment says it. */
export type Owner = { email: string; password: string; name: string }

/**
 * The credentials of the demo shop, printed once, and the IDs of the user and of the key. `isGiven` is true if the password
 * was not made here.
 */
export type DemoAccess = {
  email: string
  password: string
  key: string
  isGiven: boolean
  ids: { user: string; key: string }
}

const usual = { email: "demo@example.com", name: "Demo Owner" }
const key = {
  name: "Demo key",
  scopes: ["read", "write", "delete", "admin", "webhooks"],
  expiresAt: null,
}
const newPassword = (): string => newSecret().slice(0, 16)
const ownerOf = ({ id, role }: User) => ({ userId: id, role, plan: "enterprise" as const })

/** Creates the owner whom each demo shop has at first, with a key, and names the company. */
export async function makeOwner(
  services: Services,
  write: Writer,
): Promise<{ access: DemoAccess; caller: Caller }> {
  const password = newPassword()
  const draft = await readUser({ ...usual, role: "admin", password }, "kontor")
  return write((tx) => {
    const admin = services.users.create(tx, draft)
    const made = services.apiKeys.create(tx, readKey(key), ownerOf(admin))
    nameCompany(services, tx)
    const ids = { user: admin.id, key: made.record.id }
    const access = { email: usual.email, password, key: made.key, isGiven: false, ids }
    return { access, caller: callerFor(admin) }
  })
}

type Filled = { db: Database; services: Services; world: DemoWorld }

/**
 * Gives a filled shop to the owner whom the environment names, or lets the shop have random credentials where others reach it.
 * The credentials with which it was filled no longer work: everybody knows those of the usual seed.
 */
export async function handOver(
  { db, services, world }: Filled,
  access: DemoAccess,
  given: Owner | null,
): Promise<DemoAccess> {
  if (given === null && world.hasKnownSecrets) return access
  world.begin("owner")
  const release = services.feed.hold()
  const write = groupWriter(db, world.clock.now, beforeCommit(db))
  const isOther = given !== null && services.users.findByEmail(given.email) === null
  const changed = isOther
    ? await replaceOwner(services, write, access, given)
    : await renewAccess(services, write, access, given)
  await services.feed.settle()
  release()
  return changed
}

/** Creates another owner. The first one stays, because records name who created them, and cannot sign in. */
async function replaceOwner(
  { users, apiKeys }: Services,
  write: Writer,
  { ids }: DemoAccess,
  { email, name, password }: Owner,
): Promise<DemoAccess> {
  const [draft, unknown] = await Promise.all([
    readUser({ email, name, role: "admin", password }, "kontor"),
    // The owner may enable the first one again.
    readNewPassword(newRandomSecret(), "kontor"),
  ])
  return write((tx) => {
    const admin = users.create(tx, draft)
    users.update(tx, ids.user, { input: { isActive: false }, password: unknown })
    apiKeys.revoke(tx, ids.key)
    const made = apiKeys.create(tx, readKey(key), ownerOf(admin))
    return {
      email,
      password,
      key: made.key,
      isGiven: true,
      ids: { user: admin.id, key: made.record.id },
    }
  })
}

/** Lets the owner have another password and another text of the key. */
async function renewAccess(
  { users, apiKeys }: Services,
  write: Writer,
  access: DemoAccess,
  given: Owner | null,
): Promise<DemoAccess> {
  const { ids } = access
  const password = given?.password ?? newPassword()
  const input = given ? { name: given.name } : {}
  const change = { input, password: await readNewPassword(password, "kontor") }
  return write((tx) => {
    users.update(tx, ids.user, change)
    const { key: text } = apiKeys.rotate(tx, ids.key)
    return { ...access, password, key: text, isGiven: given !== null }
  })
}

const callerFor = ({ id, email, name, role, plan }: User): Caller => ({
  kind: "user",
  userId: id,
  email,
  name,
  role,
  scopes: ["read", "write", "delete", "admin"],
  plan: plan ?? "enterprise",
  subject: `user:${id}`,
  credentialId: system.name ?? "",
  credentialName: email,
  endsAt: Infinity,
  generation: 0,
  blocked: null,
})
