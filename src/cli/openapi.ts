import { print } from "../lib/output"
import { appInMemory } from "../server/in-memory"
import type { Command } from "./command"

export const openapiCommand: Command = {
  name: "openapi",
  summary: "Print the OpenAPI document",
  usage: "",
  examples: ["kontor openapi > openapi.json"],
  takes: [],
  run() {
    const { document, close } = appInMemory()
    print(JSON.stringify(document(), null, 2))
    close()
  },
}
