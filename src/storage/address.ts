/** A place in S3-compatible storage. `path` is a prefix of names, or the whole name of an object. */
export type Address = { bucket: string; path: string }

const form = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,62})(?:\/(.*))?$/

export const isAddress = (text: string): boolean => text.startsWith("s3://")

/** Parses `s3://bucket/path`. Other programs cannot use all characters in names, so only plain ones are accepted. */
export function readAddress(text: string): Address {
  const [, bucket, path = ""] = form.exec(text) ?? []
  const names = path.replace(/\/$/, "").split("/")
  const isPlain = path === "" || names.every((name) => /^[\w.-]+$/.test(name) && !/^\.\.?$/.test(name))
  if (!bucket || !isPlain)
    throw new Error(
      `must be of the form s3://bucket/prefix, with letters, digits, ".", "_" and "-" in its names and 2 to 63 characters in the name of the bucket, not ${JSON.stringify(text)}.`,
    )
  return { bucket, path }
}

/** Parses `s3://bucket/prefix` as a folder: the path is empty or ends with a slash. */
export function readFolderAddress(text: string): Address {
  const { bucket, path } = readAddress(text)
  return { bucket, path: path === "" || path.endsWith("/") ? path : `${path}/` }
}

export const isFolder = ({ path }: Address): boolean => path === "" || path.endsWith("/")

export const textOf = ({ bucket, path }: Address): string => `s3://${bucket}/${path}`
