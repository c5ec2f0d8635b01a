import { readRun, asksForHelp, type Command } from "./cli/command"
import { findCommand } from "./cli/commands"
import { print, say } from "./core/lib/process/output"
import { helpOf } from "./cli/help"
import { UsageError } from "./config"
import { failureSentence } from "./core/engine/failures"
import { messageOf, Refusal, Unusable } from "./core/lib/refusal"

/** Exit codes: 0 done, 1 refused, 2 wrong usage. */
async function main([given = "help", ...rest]: string[]): Promise<number> {
  try {
    const name = given === "--help" || given === "-h" ? "help" : given
    const command = await findCommand(name)
    if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}. See "kontor help".`)
    if (asksForHelp(rest)) print(helpOf(command))
    else await start(command, rest)
    return 0
  } catch (error) {
    if (error instanceof UsageError) return fail(error.message, 2)
    if (error instanceof Refusal) return fail(linesOf(error).join("\n"), 1)
    if (error instanceof Unusable) return fail(error.message, 1)
    return fail(failureSentence(error) ?? `Unexpected error: ${messageOf(error)}`, 1)
  }
}

async function start(command: Command, words: string[]): Promise<void> {
  const run = readRun(command, words)
  if (!command.logs) for (const warning of run.warnings) say(`Warning: ${warning}`)
  await command.run(run)
}

/** The message, its cause and its details, without details that the message already contains. */
const linesOf = ({ message, details, cause }: Refusal): string[] => [
  message,
  ...(cause === undefined ? [] : [`  ${messageOf(cause)}`]),
  ...details
    .map((detail) => `${detail.field} ${detail.message}`)
    .filter((line) => !message.includes(line))
    .map((line) => `  ${line}`),
]

function fail(text: string, code: number): number {
  say(text)
  return code
}

process.exit(await main(process.argv.slice(2)))
