/** What follows the name of an option: a value, a value each time that it is given, or nothing. */
export type Shape = "value" | "values" | "switch"

/** A command line, taken apart as far as it can be understood. */
export type Arguments = {
  values: Record<string, string>
  lists: Record<string, string[]>
  switches: Record<string, true>
  words: string[]
  /** What is wrong with it, as a sentence. */
  fault: string | null
}

/**
 * Takes a command line apart: `--name value`, `--name=value`, `--switch` and words; after `--` only words. Our own,
 * because loading the one that comes with the runtime is a twentieth of a start.
 */
export function readArguments(args: readonly string[], shapes: Record<string, Shape>): Arguments {
  const read: Arguments = { values: {}, lists: {}, switches: {}, words: [], fault: null }
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ""
    if (arg === "--") return { ...read, words: [...read.words, ...args.slice(i + 1)] }
    if (!arg.startsWith("-") || arg === "-") {
      read.words.push(arg)
      continue
    }
    const [option = "", ...parts] = arg.split("=")
    const name = option.startsWith("--") ? option.slice(2) : ""
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
    if (!shape) return { ...read, fault: `There is no option ${option}.` }
    if (shape === "switch") {
      if (parts.length > 0) return { ...read, fault: `${option} takes no value.` }
      read.switches[name] = true
      continue
    }
    const value = parts.length > 0 ? parts.join("=") : args[++i]
    if (value === undefined) return { ...read, fault: `${option} needs a value.` }
    if (parts.length === 0 && value.startsWith("-") && value !== "-")
      return {
        ...read,
        fault: `${option} needs a value. If it begins with a hyphen, write ${option}=${value}.`,
      }
    if (shape === "values") (read.lists[name] ??= []).push(value)
    else read.values[name] = value
  }
  return read
}
