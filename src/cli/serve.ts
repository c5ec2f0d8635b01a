import { serve } from "../server/serve"
import type { Command } from "./command"

export const serveCommand: Command = {
  name: "serve",
  summary: "Serve the API, the documentation and the console",
  usage: "[options]",
  examples: [
    "kontor serve",
    "kontor serve --db /srv/kontor.db --port 8080 --public-url https://kontor.example",
  ],
  takes: [
    "db",
    "host",
    "port",
    "publicUrl",
    "tlsCert",
    "tlsKey",
    "trustedProxies",
    "allowedHosts",
    "corsOrigins",
    "plans",
    "demo",
    "backupDir",
    "backupEvery",
    "backupKeep",
    "logLevel",
  ],
  run: ({ config }) => serve(config.demo ? { ...config, db: ":memory:" } : config),
}
