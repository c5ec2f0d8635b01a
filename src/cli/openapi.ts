import { options } from "../config"
import { print } from "../core/lib/process/output"
import { appInMemory } from "../server/in-memory"
import type { Command } from "./command"
import { clientOf } from "../core/http/openapi/client/generate"
import type { Document } from "../core/http/openapi/client/document"

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

export const clientCommand: Command = {
  name: "client",
  summary: "Print a client of the API for TypeScript",
  usage: "",
  examples: ["kontor client > kontor.ts"],
  takes: [],
  run() {
    const { document, close } = appInMemory()
    // As a client of the API reads it: without what JSON cannot contain.
    print(clientOf(JSON.parse(JSON.stringify(document())) as Document).trimEnd())
    close()
  },
}
