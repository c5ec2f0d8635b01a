import { UsageError } from "../config"
import { invalid } from "../lib/refusal"
import { newSecret } from "../lib/secret"
import { deleteSessionsOf } from "../modules/auth/store"
import { users, type User } from "../modules/users/model"
import { readNewPassword, userService, type UserService } from "../modules/users/service"
import { signedCursors } from "../resource/cursor"
import { tableStore } from "../resource/table-store"
import { print, readAction, say, table, type Command, type Run } from "./command"
import { openExisting, openWriter } from "./database"
import { listAll, standardBasis } from "./list-all"

/** What can be done, and the options each takes. */
const actions = {
  create: ["email", "name", "role", "password-stdin"],
  list: [],
  "set-role": ["email", "role"],
  "set-password": ["email", "password-stdin"],
  disable: ["email"],
  enable: ["email"],
} as const

export const usersCommand: Command = {
  name: "users",
  summary: "Create and list users, change roles and passwords, disable and enable",
  usage: `${Object.keys(actions).join("|")} [--email EMAIL] [--name NAME] [--role ROLE] [--password-stdin] [--json]`,
  examples: [
    "kontor users create --email ada@example.com --name Ada --role sales",
    "kontor users set-role --email ada@example.com --role manager",
    "echo 'a new password' | kontor users set-password --email ada@example.com --password-stdin",
    "kontor users list --json",
  ],
  takes: ["db"],
  words: 1,
  flags: {
    email: "Whom it is about",
    name: "The full name",
    role: "viewer, sales, accountant, manager or admin",
  },
  switches: {
    "password-stdin": "Read the password from standard input; without it one is made and printed",
    json: "Print the result as JSON",
  },
  async run(run) {
    const action = readAction("users", actions, run)
    const db = openExisting(run.config.db)
    try {
      const { writer } = openWriter(db)
      const store = tableStore(db, users, { cursors: signedCursors(newSecret()), basis: () => standardBasis })
      const service = userService({
        db,
        store,
        endSessions: (_, user, keep) => deleteSessionsOf(db, user, keep),
      })
      if (action === "list") return printUsers(await listAll(users, service.list, "email"), run)
      if (action === "create") return await create(service, writer, run)
      const user = getByEmail(service, run)
      if (action === "set-password") {
        const { password, made } = await choosePassword(run)
        const hashed = await readNewPassword(password, "kontor")
        await writer((tx) => service.setPassword(tx, user.id, hashed))
        return printOne(user, run, made ? { password } : {})
      }
      const change =
        action === "set-role" ? { role: required(run, "role") } : { isActive: action === "enable" }
      printOne(await writer((tx) => service.update(tx, user.id, change)), run)
    } finally {
      db.close()
    }
  },
}

async function create(service: UserService, writer: ReturnType<typeof openWriter>["writer"], run: Run) {
  const email = required(run, "email")
  const input = { email, name: run.flags.name ?? email.split("@")[0], role: required(run, "role") }
  const { password, made } = await choosePassword(run)
  const hashed = await readNewPassword(password, "kontor")
  const user = await writer((tx) => service.create(tx, input, hashed))
  printOne(user, run, made ? { password } : {})
}

/** The password on standard input, or one made here, which is then shown once. */
async function choosePassword({ switches }: Run): Promise<{ password: string; made: boolean }> {
  if (!switches["password-stdin"]) return { password: newSecret().slice(0, 20), made: true }
  return { password: (await Bun.stdin.text()).split(/\r?\n/)[0] ?? "", made: false }
}

function required({ flags }: Run, name: string): string {
  const value = flags[name]
  if (!value) throw new UsageError(`--${name} is missing. See "kontor users --help".`)
  return value
}

function getByEmail(service: UserService, run: Run): User {
  const email = required(run, "email")
  const user = service.findByEmail(email)
  if (!user) throw invalid("email", `${JSON.stringify(email)} belongs to no user`)
  return user
}

function printOne(user: User, { switches }: Run, shownOnce: { password?: string } = {}): void {
  if (switches.json) return print(JSON.stringify({ ...user, ...shownOnce }))
  print(`${user.id}  ${user.email}  ${user.role}  ${user.isActive ? "active" : "disabled"}`)
  if (shownOnce.password) say(`Password (shown only here): ${shownOnce.password}`)
}

function printUsers(all: User[], { switches }: Run): void {
  if (switches.json) return print(JSON.stringify(all))
  const rows = all.map(({ id, email, name, role, isActive }) => [
    id,
    email,
    name,
    role,
    isActive ? "active" : "disabled",
  ])
  print(table([["ID", "EMAIL", "NAME", "ROLE", "STATE"], ...rows]))
}
