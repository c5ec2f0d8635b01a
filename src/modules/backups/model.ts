import { Type, type Static } from "@sinclair/typebox"

const path = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** The files that a restore needs. */
export const BackupFiles = Type.Object(
  {
    database: path("The absolute path of the database; null for a demo shop, which is in memory."),
    latestBackup: path("The absolute path of the newest automatic backup; null if there is none."),
  },
  { $id: "BackupFiles" },
)

export type BackupFiles = Static<typeof BackupFiles>
