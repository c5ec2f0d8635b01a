import { options } from "../config"
import { print } from "../core/lib/output"
import { appInMemory } from "../server/in-memory"
import type { Command } from "./command"

/** The address of `kontor serve` without options. */
const defaultUrl = `http://${options.host.fallback}:${options.port.fallback}`

export const openapiCommand: Command = {
  name: "openapi",
  summary: "Print the OpenAPI document",
  usage: "[--public-url URL]",
  examples: ["kontor openapi > openapi.json", "kontor openapi --public-url https://kontor.example"],
  takes: ["publicUrl"],
  run({ config }) {
    const { document, close } = appInMemory(config.publicUrl ?? defaultUrl)
    print(JSON.stringify(document(), null, 2))
    close()
  },
}
