import { isEmail } from "../core/kind/text-field"
import { print } from "../core/lib/process/output"
import { Unusable } from "../core/lib/refusal"
import { UsageError } from "../config"
import { type MailTest, type Message, messages } from "../office/mail/model"
import { printAll, readAction, type Command } from "./command"
import { listAll, withServices } from "./with-services"

/** The actions, and the options of each. */
const actions = { list: ["failed"], test: ["allow-private-webhooks"] } as const

export const mailCommand: Command = {
  name: "mail",
  summary: "List the messages, or send a test message",
  usage: "list [--failed] | test ADDRESS  [--json]",
  examples: ["kontor mail list --failed", "kontor mail test office@example.com"],
  takes: ["db", "allowPrivateWebhooks"],
  words: 2,
  switches: { json: "Print the result as JSON", failed: "Only messages that failed or are uncertain" },
  async run(run) {
    const action = readAction("mail", actions, run)
    const [, address] = run.words
    if (action === "test" && !isEmail(address ?? ""))
      throw new UsageError('"kontor mail test" takes an email address. See "kontor mail --help".')
    if (action === "list" && address !== undefined)
      throw new UsageError('"kontor mail list" takes no address. See "kontor mail --help".')
    await withServices(run.config, async ({ mailSending, messages: service }) => {
      if (action === "test") {
        const result = await mailSending.test(address ?? "", new AbortController().signal)
        print(run.switches.json ? JSON.stringify(result) : shown(result))
        if (!result.ok) throw new Unusable("The server has not taken the test message.")
        return
      }
      const all = await listAll(messages, service.all, "createdAt", run.switches.failed ? failed : "")
      printAll(all as Message[], run, titles, rowOf)
    })
  },
}

const failed = "status[in]=failed,uncertain"

const shown = ({ steps }: MailTest): string =>
  steps.map(({ step, text }) => `${step.padEnd(9)}  ${text}`).join("\n")

const titles = ["ID", "STATUS", "CREATED", "NUMBER", "TO", "LAST ANSWER"]

const rowOf = ({ id, status, createdAt, number, to, attempts }: Message): string[] => [
  id,
  status,
  createdAt,
  number ?? "",
  to.join(", "),
  attempts.at(-1)?.text ?? "",
]
