import { UsageError } from "../config"
import type { Writer } from "../core/write/writer"
import { business } from "../core/lib/clock"
import { later } from "../shared/dates"
import { invalid } from "../core/lib/refusal"
import { apiKeys, type ApiKey } from "../office/api-keys/model"
import { readKey } from "../office/api-keys/service"
import { users, type User } from "../office/users/model"
import type { UserService } from "../office/users/service"
import type { Services } from "../services"
import { businessAreas } from "../shared/rights"
import { printAll, readIdAction, required, requiredScopes, type Command, type Run } from "./command"
import { print, say } from "../core/lib/process/output"
import { withServices, listAll } from "./with-services"

/** The actions, and the options of each. */
const actions = {
  create: ["name", "scopes", "areas", "expires", "ip", "user", "plan"],
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
    scopes: "read, write, delete, admin, webhooks, separated by commas",
    areas: `The only areas that the key may use, separated by commas: ${businessAreas.join(", ")}; all by default`,
    expires: "When the key expires: a number of days such as 90d (the default), or never",
    ip: "An address or network that may use the key; may be repeated",
    user: "The owner's email; the first admin by default",
    plan: "free, pro or enterprise; the owner's plan by default",
  },
  lists: ["ip"],
  switches: { json: "Print the result as JSON" },
  async run(run) {
    const { action, id } = readIdAction("keys", actions, ["revoke", "rotate"], run)
    await withServices(run.config, async (services, writer) => {
      const keys = services.apiKeys
      if (action === "list")
        return printAll(await listAll(apiKeys, keys.all, "createdAt"), run, titles, rowOf)
      if (action === "create") return create(services, writer, run)
      if (action === "rotate") return printNew(await writer((tx) => keys.rotate(tx, id)), run)
      await writer((tx) => keys.revoke(tx, id))
      print(run.switches.json ? JSON.stringify({ id, revoked: true }) : `${id} is revoked.`)
    })
  },
}

async function create({ apiKeys: keys, users: people, settings }: Services, writer: Writer, run: Run) {
  const owner = await findOwner(people, run.flags.user)
  const plan = owner.plan ?? settings.get().defaultPlan
  const draft = readKey(withExpiry(keyInput(run), run))
  printNew(await writer((tx) => keys.create(tx, draft, { userId: owner.id, role: owner.role, plan })), run)
}

const keyInput = (run: Run): Record<string, unknown> => ({
  name: required("keys", run, "name"),
  scopes: requiredScopes("keys", run),
  ...(run.lists.ip ? { allowedIps: run.lists.ip } : {}),
  ...(run.flags.areas ? { areas: run.flags.areas.split(",").map((area) => area.trim()) } : {}),
  ...(run.flags.plan ? { plan: run.flags.plan } : {}),
})

function withExpiry(input: Record<string, unknown>, { flags }: Run): Record<string, unknown> {
  if (flags.expires === undefined) return input
  if (flags.expires === "never") return { ...input, expiresAt: null }
  const days = /^(\d{1,5})d$/.exec(flags.expires)?.[1]
  if (!days || Number(days) === 0)
    throw new UsageError('--expires must be a number of days such as 90d, or "never".')
  return { ...input, expiresAt: later(business.now(), Number(days) * 86_400_000) }
}

async function findOwner(people: UserService, email: string | undefined): Promise<User> {
  const everyone = await listAll(users, people.list, "createdAt")
  const admins = everyone.filter(({ role, isActive }) => role === "admin" && isActive)
  const owner = email === undefined ? admins[0] : people.findByEmail(email)
  if (!owner || !owner.isActive)
    throw invalid(
      "user",
      "NOT_FOUND",
      email ? `${JSON.stringify(email)} is not an active user` : "is missing: there is no admin yet",
      { value: email ?? "" },
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

const titles = ["ID", "KEY", "NAME", "SCOPES", "EXPIRES", "LAST USED"]
const rowOf = ({ id, prefix, name, scopes, expiresAt, lastUsedAt }: ApiKey): string[] => [
  id,
  `${prefix}…`,
  name,
  scopes.join(","),
  expiresAt?.slice(0, 10) ?? "never",
  lastUsedAt ?? "–",
]
