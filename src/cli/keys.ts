import { UsageError } from "../config"
import type { Writer } from "../db/writer"
import { later, wallClock } from "../lib/clock"
import { invalid } from "../lib/refusal"
import { newSecret } from "../lib/secret"
import { apiKeys, type ApiKey } from "../modules/api-keys/model"
import { apiKeyService, type ApiKeyService } from "../modules/api-keys/service"
import { settingsService } from "../modules/settings/service"
import { users, type User } from "../modules/users/model"
import { userService, type UserService } from "../modules/users/service"
import { signedCursors } from "../resource/cursor"
import { tableStore } from "../resource/table-store"
import { print, readAction, say, table, type Command, type Run } from "./command"
import { openExisting, openWriter } from "./database"
import { listAll } from "./list-all"

/** What can be done, and the options each takes. */
const actions = {
  create: ["name", "scopes", "expires", "ip", "user", "plan"],
  list: [],
  revoke: [],
  rotate: [],
} as const

export const keysCommand: Command = {
  name: "keys",
  summary: "Create, list, rotate and revoke API keys",
  usage: "create --name NAME --scopes SCOPE,… [options] | list | rotate ID | revoke ID  [--json]",
  examples: [
    "kontor keys create --name 'Web shop' --scopes read,write --expires 90d",
    "kontor keys create --name Backup --scopes read --expires never --ip 10.0.0.0/8 --user ada@example.com",
    "kontor keys revoke key_01kb2qk3dvb6r8h5m9x4w7z2nc",
  ],
  takes: ["db"],
  words: 2,
  flags: {
    name: "What the key is for",
    scopes: "read, write, delete, admin, separated by commas",
    expires: "After so many days, such as 90d (the default), or never",
    ip: "An address or network it may be used from; may be given several times",
    user: "Whose key it is, by e-mail; the first admin unless told otherwise",
    plan: "free, pro or enterprise; the owner's unless told otherwise",
  },
  lists: ["ip"],
  switches: { json: "Print the result as JSON" },
  async run(run) {
    const action = readAction("keys", actions, run)
    const id = run.words[1]
    if ((action === "revoke" || action === "rotate") !== (id !== undefined))
      throw new UsageError(`"kontor keys ${action}" takes ${id ? "no" : "an"} ID. See "kontor keys --help".`)
    const db = openExisting(run.config.db)
    try {
      const { writer } = openWriter(db)
      const setup = settingsService(db)
      const stores = { cursors: signedCursors(newSecret()), basis: setup.basis }
      const keys = apiKeyService({ db, store: tableStore(db, apiKeys, stores), uses: { latest: () => null } })
      const accounts = userService({ db, store: tableStore(db, users, stores) })
      if (action === "list") return printKeys(await listAll(apiKeys, keys.all, "createdAt"), run)
      if (action === "create") {
        const owner = await findOwner(accounts, run.flags.user)
        const plan = owner.plan ?? setup.get().defaultPlan
        const input = readDraft(run)
        return printNew(
          await writer((tx) =>
            keys.create(tx, withExpiry(input, run), { userId: owner.id, role: owner.role, plan }),
          ),
          run,
        )
      }
      await change(action, id ?? "", keys, writer, run)
    } finally {
      db.close()
    }
  },
}

async function change(
  action: "revoke" | "rotate",
  id: string,
  keys: ApiKeyService,
  writer: Writer,
  run: Run,
) {
  if (action === "rotate") return printNew(await writer((tx) => keys.rotate(tx, id)), run)
  await writer((tx) => keys.revoke(tx, id))
  print(run.switches.json ? JSON.stringify({ id, revoked: true }) : `${id} is revoked.`)
}

function readDraft({ flags, lists }: Run): Record<string, unknown> {
  for (const name of ["name", "scopes"])
    if (!flags[name]) throw new UsageError(`--${name} is missing. See "kontor keys --help".`)
  return {
    name: flags.name,
    scopes: flags.scopes?.split(",").map((scope) => scope.trim()),
    ...(lists.ip ? { allowedIps: lists.ip } : {}),
    ...(flags.plan ? { plan: flags.plan } : {}),
  }
}

function withExpiry(input: Record<string, unknown>, { flags }: Run): Record<string, unknown> {
  if (flags.expires === undefined) return input
  if (flags.expires === "never") return { ...input, expiresAt: null }
  const days = /^(\d{1,5})d$/.exec(flags.expires)?.[1]
  if (!days || Number(days) === 0)
    throw new UsageError('--expires must be a number of days such as 90d, or "never".')
  return { ...input, expiresAt: later(wallClock(), Number(days) * 86_400_000) }
}

async function findOwner(accounts: UserService, email: string | undefined): Promise<User> {
  const everyone = await listAll(users, accounts.list, "createdAt")
  const admins = everyone.filter(({ role, isActive }) => role === "admin" && isActive)
  const owner = email === undefined ? admins[0] : accounts.findByEmail(email)
  if (!owner || !owner.isActive)
    throw invalid(
      "user",
      email ? `${JSON.stringify(email)} is no active user` : "is missing: there is no admin yet",
    )
  return owner
}

function printNew({ record, key }: { record: ApiKey; key: string }, { switches }: Run): void {
  if (switches.json) return print(JSON.stringify({ ...record, key }))
  say(
    `${record.id}  ${record.name}  ${record.scopes.join(",")}  expires ${record.expiresAt ?? "never"}. The key is shown only here:`,
  )
  print(key)
}

function printKeys(all: ApiKey[], { switches }: Run): void {
  if (switches.json) return print(JSON.stringify(all))
  const rows = all.map(({ id, prefix, name, scopes, expiresAt, lastUsedAt }) => [
    id,
    `${prefix}…`,
    name,
    scopes.join(","),
    expiresAt?.slice(0, 10) ?? "never",
    lastUsedAt ?? "–",
  ])
  print(table([["ID", "KEY", "NAME", "SCOPES", "EXPIRES", "LAST USED"], ...rows]))
}
