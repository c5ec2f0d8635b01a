import { statSync } from "node:fs"
import { UsageError } from "../../config"
import { backUp } from "../../core/engine/backup/backup"
import { assertFile } from "../../core/engine/place"
import type { Command } from "../command"
import { print } from "../../core/lib/process/output"
import { withDatabaseToRead } from "../with-services"
import { isAddress } from "../../storage/address"
import { backUpToStorage } from "./stored-backup"

export const backupCommand: Command = {
  name: "backup",
  summary: "Write a verified backup of the database, also while a server runs",
  usage: "FILE|s3://BUCKET/PATH [--json]",
  examples: ["kontor backup /mnt/usb/kontor-2026-03-01.db", "kontor backup s3://shop-backups/kontor/"],
  takes: ["db", "s3Endpoint", "s3Region"],
  words: 1,
  switches: { json: "Print the result as JSON" },
  async run({ config, words: [target], switches }) {
    if (!target)
      throw new UsageError(
        'The name of the backup file is missing: kontor backup FILE. See "kontor backup --help".',
      )
    assertFile(config.db)
    await withDatabaseToRead(config.db, async (db, file) => {
      const write = async () => {
        await backUp({ db, file }, target)
        return { stored: target, bytes: statSync(target).size }
      }
      const { stored, bytes } = isAddress(target)
        ? await backUpToStorage({ db, file }, config, target)
        : await write()
      print(
        switches.json
          ? JSON.stringify({ file: stored, bytes })
          : `${stored} is a verified backup of ${config.db} (${bytes} bytes).`,
      )
    })
  },
}
