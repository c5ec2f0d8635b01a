import { UsageError, type Config } from "../config"
import type { Address } from "../storage/address"
import type { Bucket } from "../storage/bucket"
import type { BackupSecrets } from "./secrets"

/** The bucket of an address, with the key to it. */
export function bucketOf(
  { s3Endpoint, s3Region: region }: Config,
  { bucket: name }: Address,
  { accessKeyId, secretAccessKey }: BackupSecrets,
): Bucket {
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError(
      `The access key to s3://${name} is missing: set KONTOR_S3_ACCESS_KEY_ID and KONTOR_S3_SECRET_ACCESS_KEY (or KONTOR_S3_SECRET_ACCESS_KEY_FILE).`,
    )
  return {
    name,
    endpoint: s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    accessKeyId,
    secretAccessKey,
  }
}
