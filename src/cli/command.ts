import { parseArgs } from "node:util"
import { print } from "../core/lib/process/output"
import {
  options,
  overriddenVariables,
  readConfig,
  UsageError,
  type Config,
  type Env,
  type OptionName,
} from "../config"

/** The input of a command. */
export type Run = {
  config: Config
  /** What is odd about the options, as sentences: the variables that a flag overrides. */
  warnings: string[]
  flags: Record<string, string | undefined>
  switches: Record<string, boolean | undefined>
  /** The values of flags that may be repeated. */
  lists: Record<string, string[] | undefined>
  words: string[]
}

/** One command. `main` and `help` read the table of commands. */
export type Command = {
  name: string
  summary: string
  /** The arguments after `kontor NAME`, as help shows them. */
  usage: string
  examples: string[]
  /** The options of the configuration that it accepts. */
  takes: OptionName[]
  /** How many arguments it accepts in addition to its options; 0 by default. */
  words?: number
  /** Its own flags that have a value, with their descriptions. */
  flags?: Record<string, string>
  /** Which of its flags may be repeated. */
  lists?: string[]
  /** Its own flags without a value, with their descriptions. */
  switches?: Record<string, string>
  /** True if it writes the warnings of its options to its log. The others print them. */
  logs?: true
  run: (run: Run) => Promise<void> | void
}

/** Parses a command line for a command. Refuses unknown options and extra words. */
export function readRun(command: Command, args: string[], env?: Env): Run {
  const wrong = (text: string) => new UsageError(`${text} See "kontor ${command.name} --help".`)
  const { values, lists, switches, words } = readArguments(args, shapesOf(command), wrong)
  const extra = words[command.words ?? 0]
  if (extra !== undefined) throw wrong(`${JSON.stringify(extra)} is an unexpected argument.`)
  const on = Object.fromEntries(Object.keys(switches).map((name) => [name, "true"]))
  const given = { ...values, ...on }
  return {
    config: readConfig(given, command.takes, env),
    warnings: overriddenVariables(given, command.takes, env),
    flags: values,
    switches,
    lists,
    words,
  }
}

function shapesOf({ takes, flags = {}, lists = [], switches = {} }: Command): Record<string, Shape> {
  const shapes: Record<string, Shape> = {}
  for (const name of takes)
    shapes[options[name].flag] = options[name].value === undefined ? "switch" : "value"
  for (const name in flags) shapes[name] = lists.includes(name) ? "values" : "value"
  for (const name in switches) shapes[name] = "switch"
  return shapes
}

/** Returns the action that the first word names. Refuses an option that this action does not accept. */
export function readAction<const A extends Record<string, readonly string[]>>(
  name: string,
  actions: A,
  { words, flags, switches, lists }: Run,
): keyof A & string {
  const action = words[0] ?? ""
  const takes = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!takes)
    throw new UsageError(
      `The action is missing or unknown. Use kontor ${name} ${Object.keys(actions).join("|")}. See "kontor ${name} --help".`,
    )
  for (const option of Object.keys({ ...flags, ...switches, ...lists }))
    if (!takes.includes(option) && option !== "json" && option !== "db")
      throw new UsageError(
        `"kontor ${name} ${action}" does not accept --${option}. See "kontor ${name} --help".`,
      )
  return action
}

/** Returns the action, and the ID that some of the actions take. */
export function readIdAction<const A extends Record<string, readonly string[]>>(
  name: string,
  actions: A,
  takingId: readonly (keyof A)[],
  run: Run,
): { action: keyof A & string; id: string } {
  const action = readAction(name, actions, run)
  const id = run.words[1]
  if (takingId.includes(action) !== (id !== undefined))
    throw new UsageError(
      `"kontor ${name} ${action}" takes ${id ? "no" : "an"} ID. See "kontor ${name} --help".`,
    )
  return { action, id: id ?? "" }
}

/** Returns the value of a flag that must be given. */
export function required(command: string, { flags }: Run, name: string): string {
  const value = flags[name]
  if (!value) throw new UsageError(`--${name} is missing. See "kontor ${command} --help".`)
  return value
}

/** The scopes of a flag, which must be given. */
export const requiredScopes = (command: string, run: Run): string[] =>
  required(command, run, "scopes")
    .split(",")
    .map((scope) => scope.trim())

/** Prints records as a table, or as JSON. */
export const printAll = <T>(
  all: T[],
  { switches }: Run,
  titles: string[],
  rowOf: (record: T) => string[],
): void => print(switches.json ? JSON.stringify(all) : table([titles, ...all.map(rowOf)]))

/** Formats rows of text in aligned columns. */
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

/** What follows the name of an option: a value, a value each time the option is repeated, or nothing. */
type Shape = "value" | "values" | "switch"

/** A parsed command line. */
export type Arguments = {
  values: Record<string, string>
  lists: Record<string, string[]>
  switches: Record<string, true>
  words: string[]
}

/**
 * Parses a command line: `--name value`, `--name=value`, `--switch` and words; after `--` only words. Each token is
 * checked here, because the errors of Node's parser name neither the command nor its help. `wrong` creates the error
 * from a sentence.
 */
function readArguments(
  args: readonly string[],
  shapes: Record<string, Shape>,
  wrong: (sentence: string) => Error,
): Arguments {
  const options = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, { type: typeOf(shape) }]),
  )
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const read: Arguments = { values: {}, lists: {}, switches: {}, words: [] }
  for (const token of tokens) {
    if (token.kind === "positional") read.words.push(token.value)
    if (token.kind !== "option") continue
    const { name, value, inlineValue } = token
    const [written = ""] = (args[token.index] ?? "").split("=")
    const shape = Object.hasOwn(shapes, name) && written === `--${name}` ? shapes[name] : undefined
    if (!shape) throw wrong(`There is no option ${written}.`)
    if (shape === "switch") {
      if (inlineValue) throw wrong(`${written} takes no value.`)
      read.switches[name] = true
      continue
    }
    if (value === undefined) throw wrong(`${written} needs a value.`)
    if (!inlineValue && value.startsWith("-") && value !== "-")
      throw wrong(`${written} needs a value. If it begins with a hyphen, write ${written}=${value}.`)
    if (shape === "values") (read.lists[name] ??= []).push(value)
    else read.values[name] = value
  }
  return read
}

const typeOf = (shape: Shape) => (shape === "switch" ? ("boolean" as const) : ("string" as const))

/** True when the command line contains `--help` or `-h`. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--")
  const options = end < 0 ? args : args.slice(0, end)
  return options.includes("--help") || options.includes("-h")
}
