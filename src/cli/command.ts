import { options, readConfig, UsageError, type Config, type OptionName } from "../config"
import { readArguments, type Shape } from "./arguments"

/** What a command is run with. */
export type Run = {
  config: Config
  flags: Record<string, string | undefined>
  switches: Record<string, boolean | undefined>
  /** Flags that may be given several times. */
  lists: Record<string, string[] | undefined>
  words: string[]
}

/** One command: a row of the table that `main` and `help` read. */
export type Command = {
  name: string
  summary: string
  /** After `kontor name`. */
  usage: string
  examples: string[]
  /** The options of the configuration that it takes. */
  takes: OptionName[]
  /** How many words it takes beside its options; none unless it says so. */
  words?: number
  /** Flags of its own with a value, and what they are. */
  flags?: Record<string, string>
  /** Those of its flags that may be given several times. */
  lists?: string[]
  /** Flags of its own without a value. */
  switches?: Record<string, string>
  run: (run: Run) => Promise<void> | void
}

/** Reads a command line by what the command takes. Refuses what it does not know. */
export function readRun(command: Command, args: string[]): Run {
  const wrong = (text: string) => new UsageError(`${text} See "kontor ${command.name} --help".`)
  const { values, lists, switches, words } = readArguments(args, shapesOf(command), wrong)
  const extra = words[command.words ?? 0]
  if (extra !== undefined) throw wrong(`${JSON.stringify(extra)} is one word too many.`)
  const on = Object.fromEntries(Object.keys(switches).map((name) => [name, "true"]))
  return { config: readConfig({ ...values, ...on }, command.takes), flags: values, switches, lists, words }
}

function shapesOf({ takes, flags = {}, lists = [], switches = {} }: Command): Record<string, Shape> {
  const shapes: Record<string, Shape> = {}
  for (const name of takes)
    shapes[options[name].flag] = options[name].value === undefined ? "switch" : "value"
  for (const name in flags) shapes[name] = lists.includes(name) ? "values" : "value"
  for (const name in switches) shapes[name] = "switch"
  return shapes
}

/** The first word, as one of the actions of a command. Refuses an option that this action does not take. */
export function readAction<const A extends Record<string, readonly string[]>>(
  name: string,
  actions: A,
  { words, flags, switches, lists }: Run,
): keyof A & string {
  const action = words[0] ?? ""
  const takes = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!takes)
    throw new UsageError(
      `Say what to do: kontor ${name} ${Object.keys(actions).join("|")}. See "kontor ${name} --help".`,
    )
  for (const option of Object.keys({ ...flags, ...switches, ...lists }))
    if (!takes.includes(option) && option !== "json" && option !== "db")
      throw new UsageError(
        `"kontor ${name} ${action}" does not take --${option}. See "kontor ${name} --help".`,
      )
  return action
}

/** Lines up rows of text in columns. */
export function table(rows: string[][]): string {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}
