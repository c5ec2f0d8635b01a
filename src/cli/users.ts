import type { Writer } from "../core/write/writer"
import { invalid } from "../core/lib/refusal"
import { newSecret } from "../core/lib/secret"
import { users, type User } from "../office/users/model"
import { readNewPassword, readUser, type UserService } from "../office/users/service"
import { roles } from "../shared/rights"
import { printAll, readAction, required, type Command, type Run } from "./command"
import { print, say } from "../core/lib/process/output"
import { withServices, listAll } from "./with-services"

/** The actions, and the options of each. */
const actions = {
  create: ["email", "name", "role", "password-stdin"],
  list: [],
  "set-role": ["email", "role"],
  "set-password": ["email", "password-stdin"],
  disable: ["email"],
  enable: ["email"],
  "reset-factors": ["email"],
} as const

export const usersCommand: Command = {
  name: "users",
  summary:
    "Create, list, disable and enable users; set their roles and passwords; remove lost second factors",
  usage: `${Object.keys(actions).join("|")} [--email EMAIL] [--name NAME] [--role ROLE] [--password-stdin] [--json]`,
  examples: [
    "kontor users create --email ada@example.com --name Ada --role sales",
    "kontor users set-role --email ada@example.com --role manager",
    "echo 'a new password' | kontor users set-password --email ada@example.com --password-stdin",
    "kontor users reset-factors --email ada@example.com",
    "kontor users list --json",
  ],
  takes: ["db"],
  words: 1,
  flags: {
    email: "The user's email",
    name: "The full name",
    role: `One of ${roles.join(", ")}`,
  },
  switches: {
    "password-stdin": "Read the password from standard input; without it, one is generated and printed",
    json: "Print the result as JSON",
  },
  async run(run) {
    const action = readAction("users", actions, run)
    await withServices(run.config, async ({ users: service, factors }, writer) => {
      if (action === "list") return printAll(await listAll(users, service.list, "email"), run, titles, rowOf)
      if (action === "create") return create(service, writer, run)
      const user = getByEmail(service, run)
      if (action === "set-password") return setPassword(service, writer, user, run)
      if (action === "reset-factors") {
        const count = await writer((tx) => factors.resetAll(tx, user.id))
        printOne(user, run)
        return say(`Removed second factors: ${count}. The user is signed out everywhere.`)
      }
      const input =
        action === "set-role" ? { role: required("users", run, "role") } : { isActive: action === "enable" }
      printOne(await writer((tx) => service.update(tx, user.id, { input, password: null })), run)
    })
  },
}

async function create(service: UserService, writer: Writer, run: Run): Promise<void> {
  const email = required("users", run, "email")
  const role = required("users", run, "role")
  const { password, isGenerated } = await choosePassword(run)
  const input = { email, name: run.flags.name ?? email.split("@")[0], role, password }
  const draft = await readUser(input, "kontor")
  const user = await writer((tx) => service.create(tx, draft))
  printOne(user, run, isGenerated ? { password } : {})
}

async function setPassword(service: UserService, writer: Writer, user: User, run: Run): Promise<void> {
  const { password, isGenerated } = await choosePassword(run)
  const hashed = await readNewPassword(password, "kontor")
  await writer((tx) => service.setPassword(tx, user.id, hashed))
  printOne(user, run, isGenerated ? { password } : {})
}

/** The password on standard input, or a generated one, which is then printed once. */
async function choosePassword({ switches }: Run): Promise<{ password: string; isGenerated: boolean }> {
  if (!switches["password-stdin"]) return { password: newSecret().slice(0, 20), isGenerated: true }
  return { password: (await Bun.stdin.text()).split(/\r?\n/)[0] ?? "", isGenerated: false }
}

function getByEmail(service: UserService, run: Run): User {
  const email = required("users", run, "email")
  const user = service.findByEmail(email)
  if (!user)
    throw invalid("email", "NOT_FOUND", `${JSON.stringify(email)} is not the email of a user`, {
      value: email,
    })
  return user
}

function printOne(user: User, { switches }: Run, shownOnce: { password?: string } = {}): void {
  if (switches.json) return print(JSON.stringify({ ...user, ...shownOnce }))
  print(`${user.id}  ${user.email}  ${user.role}  ${user.isActive ? "active" : "disabled"}`)
  if (shownOnce.password) say(`Password (shown only here): ${shownOnce.password}`)
}

const titles = ["ID", "EMAIL", "NAME", "ROLE", "STATE"]
const rowOf = ({ id, email, name, role, isActive }: User): string[] => [
  id,
  email,
  name,
  role,
  isActive ? "active" : "disabled",
]
