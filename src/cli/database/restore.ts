import { resolve } from "node:path"
import { UsageError } from "../../config"
import { assertFile } from "../../core/engine/place"
import { restore } from "../../core/engine/backup/restore"
import { real } from "../../core/lib/clock"
// The tables of the kinds: a restored database is brought up to date.
import "../../kinds"
import { isAddress } from "../../storage/address"
import type { Command } from "../command"
import { print, say } from "../../core/lib/process/output"
import { withPlainBackup } from "./stored-backup"

export const restoreCommand: Command = {
  name: "restore",
  summary: "Replace the database with a backup; the old database stays in the same folder",
  usage: "FILE|s3://BUCKET/PATH [--plain] [--json]",
  examples: [
    "kontor restore /mnt/usb/kontor-2026-03-01.db",
    "kontor restore backup.db --db /srv/kontor.db",
    "kontor restore s3://shop-backups/kontor/",
  ],
  takes: ["db", "s3Endpoint", "s3Region"],
  words: 1,
  switches: {
    plain: "Also restore a backup that is not encrypted, although a passphrase is set",
    json: "Print the result as JSON",
  },
  async run({ config, words: [given], switches }) {
    if (!given)
      throw new UsageError(
        'The name of the backup file is missing: kontor restore FILE. See "kontor restore --help".',
      )
    assertFile(config.db)
    const file = resolve(config.db)
    const isPlainAllowed = switches.plain === true
    const { version, aside, from } = await withPlainBackup(
      { config, given, file, isPlainAllowed },
      async (copy, name) => ({
        ...(await restore(copy, file, real.now())),
        from: isAddress(name) ? name : resolve(name),
      }),
    )
    const isNew = aside === null
    if (switches.json) return print(JSON.stringify({ file, isNew, from, version, aside }))
    say(
      isNew
        ? `There was no database at ${file}: a new file was created. If the server uses another file, give its path with --db.`
        : `The old database is now ${aside}.`,
    )
    print(`${from} was restored to ${file}. Everyone must sign in again.`)
  },
}
