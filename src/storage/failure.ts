import { Unusable } from "../core/lib/refusal"
import type { Bucket } from "./bucket"

/** Why storage could not be used. */
export const storageFailures = ["UNREACHABLE", "NO_BUCKET", "NOT_FOUND", "ACCESS_DENIED", "FAILED"] as const
export type StorageFailure = (typeof storageFailures)[number]

/** A failed use of storage. The message is a sentence that says what to do. */
export class StorageError extends Unusable {
  constructor(
    readonly code: StorageFailure,
    message: string,
  ) {
    super(message)
  }
}

const wrongKey = [
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "AuthorizationHeaderMalformed",
  "InvalidToken",
  "ExpiredToken",
]
const unreachable =
  /^(Connection|FailedToOpenSocket|ENOTFOUND|ECONN|EAI_|ETIMEDOUT|DNS|Timeout|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/i

/** Describes an error of the storage. The server's own message is used only if nothing better is known. */
export function storageError(error: unknown, { endpoint, name }: Bucket): StorageError {
  if (error instanceof StorageError) return error
  if (error instanceof Unusable) return new StorageError("FAILED", error.message)
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (code === "NoSuchBucket")
    return new StorageError("NO_BUCKET", `There is no bucket ${name} at ${endpoint}. Create it first.`)
  if (code === "NoSuchKey") {
    const path = error instanceof Error && "path" in error ? String(error.path) : ""
    return new StorageError("NOT_FOUND", `There is no backup at s3://${name}/${path}.`)
  }
  if (wrongKey.includes(code))
    return new StorageError(
      "ACCESS_DENIED",
      `${endpoint} refuses the access key (${code}). Check KONTOR_S3_ACCESS_KEY_ID, KONTOR_S3_SECRET_ACCESS_KEY and KONTOR_S3_REGION.`,
    )
  if (code === "AccessDenied")
    return new StorageError(
      "ACCESS_DENIED",
      `${endpoint} denies access to the bucket ${name}. The access key needs the rights to list, read, write and delete objects.`,
    )
  if (unreachable.test(code))
    return new StorageError(
      "UNREACHABLE",
      `${endpoint} cannot be reached (${code}). Check KONTOR_S3_ENDPOINT and the network.`,
    )
  const reason = error instanceof Error ? error.message.replace(/\.$/, "").slice(0, 300) : String(error)
  return new StorageError(
    "FAILED",
    `${endpoint} did not do what was asked: ${reason}${code && ` (${code})`}.`,
  )
}
