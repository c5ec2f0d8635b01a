import { parseArgs } from "node:util"

/** What follows the name of an option: a value, a value each time the option is repeated, or nothing. */
export type Shape = "value" | "values" | "switch"

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
export function readArguments(
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
