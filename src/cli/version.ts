import { version } from "../version"
import type { Command } from "./command"
import { print } from "../core/lib/output"

export const versionCommand: Command = {
  name: "version",
  summary: "Print the version",
  usage: "",
  examples: ["kontor version"],
  takes: [],
  run: () => print(version),
}
