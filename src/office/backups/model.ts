import { Type, type Static } from "@sinclair/typebox"
import { storageFailures, type StorageFailure } from "../../storage/failure"

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const UploadError = Type.Object({
  code: Type.Unsafe<StorageFailure>({ type: "string", enum: [...storageFailures] }),
  message: Type.String(),
  failedAt: Type.String({ format: "date-time" }),
})

const Upload = Type.Object({
  target: Type.String({
    description: "The address that backups are uploaded to, such as `s3://bucket/prefix/`.",
  }),
  isEncrypted: Type.Boolean(),
  latest: textOrNull(
    "The address of the newest backup there; null if there is none, or if it is not known yet.",
  ),
  error: Type.Union([UploadError, Type.Null()], {
    description:
      "Why the last upload failed, and what to do; null if it did not fail. It is tried again by itself.",
  }),
})

/** The files that a restore needs. */
export const BackupFiles = Type.Object(
  {
    database: textOrNull("The absolute path of the database; null for a demo shop, which is in memory."),
    latestBackup: textOrNull("The absolute path of the newest automatic backup; null if there is none."),
    upload: Type.Union([Upload, Type.Null()], {
      description: "The uploads of automatic backups to S3-compatible storage; null if there are none.",
    }),
  },
  { $id: "BackupFiles" },
)

export type BackupFiles = Static<typeof BackupFiles>
