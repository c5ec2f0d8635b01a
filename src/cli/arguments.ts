/** What follows the name of an option: a value, a value each time that it is given, or nothing. */
export type Shape = "value" | "values" | "switch"

/** A command line, taken apart. */
export type Arguments = {
  values: Record<string, string>
  lists: Record<string, string[]>
  switches: Record<string, true>
  words: string[]
}

/**
 * Takes a command line apart: `--name value`, `--name=value`, `--switch` and words; after `--` only words. What cannot be
 * understood is thrown as `wrong` makes it of a sentence. Our own, because loading the one that comes with the runtime is
 * a twentieth of a start.
 */
export function readArguments(
  args: readonly string[],
  shapes: Record<string, Shape>,
  wrong: (sentence: string) => Error,
): Arguments {
  const { options, words } = splitWords(args)
  const read: Arguments = { values: {}, lists: {}, switches: {}, words: [] }
  for (let i = 0; i < options.length; i++) {
    const arg = options[i] ?? ""
    if (!arg.startsWith("-") || arg === "-") {
      read.words.push(arg)
      continue
    }
    const [option = "", ...parts] = arg.split("=")
    const name = option.startsWith("--") ? option.slice(2) : ""
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
    if (!shape) throw wrong(`There is no option ${option}.`)
    if (shape === "switch") {
      if (parts.length > 0) throw wrong(`${option} takes no value.`)
      read.switches[name] = true
      continue
    }
    const value = parts.length > 0 ? parts.join("=") : options[++i]
    if (value === undefined) throw wrong(`${option} needs a value.`)
    if (parts.length === 0 && value.startsWith("-") && value !== "-")
      throw wrong(`${option} needs a value. If it begins with a hyphen, write ${option}=${value}.`)
    if (shape === "values") (read.lists[name] ??= []).push(value)
    else read.values[name] = value
  }
  return { ...read, words: [...read.words, ...words] }
}

/** Whether somebody asks for help rather than for the work. */
export const asksForHelp = (args: readonly string[]): boolean =>
  splitWords(args).options.some((arg) => arg === "--help" || arg === "-h")

/** What may hold options, and what follows two hyphens and holds none. */
function splitWords(args: readonly string[]): { options: readonly string[]; words: readonly string[] } {
  const end = args.indexOf("--")
  return end < 0 ? { options: args, words: [] } : { options: args.slice(0, end), words: args.slice(end + 1) }
}
