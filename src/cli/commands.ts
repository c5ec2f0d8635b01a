import type { Command } from "./command"
import { helpCommand } from "./help"

/**
 * How each command is loaded, in the order in which help lists them. A command is loaded when it is called: one that reads
 * a file does not need what the server needs.
 */
const loading: Record<string, () => Promise<Command>> = {
  serve: async () => (await import("./serve")).serveCommand,
  sandbox: async () => (await import("./sandbox")).sandboxCommand,
  ready: async () => (await import("./server/ready")).readyCommand,
  "setup-link": async () => (await import("./setup-link")).setupLinkCommand,
  migrate: async () => (await import("./database/migrate")).migrateCommand,
  users: async () => (await import("./users")).usersCommand,
  keys: async () => (await import("./keys")).keysCommand,
  clients: async () => (await import("./clients")).clientsCommand,
  backup: async () => (await import("./database/backup")).backupCommand,
  restore: async () => (await import("./database/restore")).restoreCommand,
  copy: async () => (await import("./database/copy")).copyCommand,
  check: async () => (await import("./database/check")).checkCommand,
  stats: async () => (await import("./database/stats")).statsCommand,
  events: async () => (await import("./events")).eventsCommand,
  webhooks: async () => (await import("./webhooks")).webhooksCommand,
  mail: async () => (await import("./mail")).mailCommand,
  mcp: async () => (await import("./server/mcp")).mcpCommand,
  reindex: async () => (await import("./database/reindex")).reindexCommand,
  openapi: async () => (await import("./openapi")).openapiCommand,
  client: async () => (await import("./openapi")).clientCommand,
  version: async () => (await import("./version")).versionCommand,
  help: async () => helpCommand(allCommands),
}

/** Returns the command with a name; null if there is none. */
export const findCommand = async (name: string): Promise<Command | null> =>
  Object.hasOwn(loading, name) ? ((await loading[name]?.()) ?? null) : null

/** Every command. */
export const allCommands = (): Promise<Command[]> => Promise.all(Object.values(loading).map((load) => load()))
