import { version } from "../version"
import { print, type Command } from "./command"

export const versionCommand: Command = {
  name: "version",
  summary: "Print the version",
  usage: "",
  examples: ["kontor version"],
  takes: [],
  run: () => print(version),
}
