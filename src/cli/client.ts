import { clientOf } from "../core/http/openapi/client/generate"
import type { Document } from "../core/http/openapi/client/document"
import { print } from "../core/lib/output"
import { appInMemory } from "../server/in-memory"
import type { Command } from "./command"

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
