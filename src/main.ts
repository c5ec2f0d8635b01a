import { print, readRun, say } from "./cli/command"
import { commands } from "./cli/commands"
import { helpOf, overview } from "./cli/help"
import { UsageError } from "./config"
import { Unusable } from "./lib/unusable"
import { Refusal } from "./lib/refusal"

/** Exit codes: 0 done, 1 refused, 2 wrong usage. */
async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args
  const command = commands.find((each) => each.name === name)
  try {
    if (name === undefined || name === "--help" || name === "-h") {
      print(overview(commands))
      return 0
    }
    if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}. See "kontor help".`)
    if (rest.includes("--help") || rest.includes("-h")) {
      print(helpOf(command))
      return 0
    }
    await command.run(readRun(command, rest))
    return 0
  } catch (error) {
    if (error instanceof UsageError) return fail(error.message, 2)
    if (error instanceof Refusal) return fail(linesOf(error).join("\n"), 1)
    if (error instanceof Unusable) return fail(error.message, 1)
    return fail(`Something went wrong: ${error instanceof Error ? error.message : String(error)}`, 1)
  }
}

/** The sentence and its details, without those that the sentence says already. */
const linesOf = ({ message, details }: Refusal): string[] => [
  message,
  ...details
    .map((detail) => `${detail.field} ${detail.message}`)
    .filter((line) => !message.includes(line))
    .map((line) => `  ${line}`),
]

function fail(text: string, code: number): number {
  say(text)
  return code
}

// Not a top-level await: the bytecode of the compiled program has none.
void main(process.argv.slice(2)).then((code) => process.exit(code))
