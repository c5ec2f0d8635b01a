import { options, UsageError } from "../config"
import { table, type Command } from "./command"
import { print } from "../core/lib/process/output"

export const helpCommand = (load: () => Promise<readonly Command[]>): Command => ({
  name: "help",
  summary: "List the commands, or describe one of them",
  usage: "[COMMAND]",
  examples: ["kontor help", "kontor help serve"],
  words: 1,
  takes: [],
  async run({ words }) {
    const [name] = words
    const commands = await load()
    if (name === undefined) return print(overview(commands))
    const command = commands.find((each) => each.name === name)
    if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}. See "kontor help".`)
    print(helpOf(command))
  },
})

export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [`  kontor ${name}`, summary])
  return `Kontor: the back office of a small business in one file.\n\n${table(rows)}\n\n"kontor COMMAND --help" describes a command.`
}

/** The help text of one command: usage, options and examples. */
export function helpOf({
  name,
  summary,
  usage,
  takes,
  flags = {},
  switches = {},
  examples,
}: Command): string {
  const configured = takes.map((each) => {
    const { flag, value, text, env, fallback, fallbackText = fallback } = options[each]
    const shown =
      typeof fallbackText === "string" || typeof fallbackText === "number" ? `, default ${fallbackText}` : ""
    return [`  --${flag} ${value ?? ""}`.trimEnd(), `${text} (${env}${shown})`]
  })
  const own = Object.entries(flags).map(([flag, text]) => [`  --${flag} VALUE`, text])
  const toggles = Object.entries(switches).map(([flag, text]) => [`  --${flag}`, text])
  const rows = [...own, ...toggles, ...configured, ["  --help", "Print this help"]]
  const shown = examples.map((example) => `  ${example}`).join("\n")
  return (
    `${summary}\n\nUsage: kontor ${name} ${usage}`.trimEnd() + `\n\n${table(rows)}\n\nExamples:\n${shown}`
  )
}
