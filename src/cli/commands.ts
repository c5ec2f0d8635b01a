import { backupCommand } from "./database/backup"
import { checkCommand } from "./database/check"
import { clientsCommand } from "./clients"
import type { Command } from "./command"
import { copyCommand } from "./database/copy"
import { eventsCommand } from "./events"
import { helpCommand, versionCommand } from "./help"
import { keysCommand } from "./keys"
import { mcpCommand } from "./server/mcp"
import { migrateCommand } from "./database/migrate"
import { mailCommand } from "./mail"
import { openapiCommand, clientCommand } from "./openapi"
import { readyCommand } from "./server/ready"
import { reindexCommand } from "./database/reindex"
import { restoreCommand } from "./database/restore"
import { sandboxCommand } from "./sandbox"
import { serveCommand } from "./serve"
import { setupLinkCommand } from "./setup-link"
import { statsCommand } from "./database/stats"
import { usersCommand } from "./users"
import { webhooksCommand } from "./webhooks"

/** Every command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  serveCommand,
  sandboxCommand,
  readyCommand,
  setupLinkCommand,
  migrateCommand,
  usersCommand,
  keysCommand,
  clientsCommand,
  backupCommand,
  restoreCommand,
  copyCommand,
  checkCommand,
  statsCommand,
  eventsCommand,
  webhooksCommand,
  mailCommand,
  mcpCommand,
  reindexCommand,
  openapiCommand,
  clientCommand,
  versionCommand,
  helpCommand(() => commands),
]
