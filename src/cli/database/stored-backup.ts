import { rmSync } from "node:fs"
import { dirname } from "node:path"
import { UsageError, type Config } from "../../config"
import { takeBackupSecrets, type BackupSecrets, bucketOf } from "../../config/secrets"
import { backUp, type Source, temporaryFolderOf } from "../../core/engine/backup/backup"
import { unfinishedIn } from "../../core/engine/backup/unfinished"
import { messageOf, Unusable } from "../../core/lib/refusal"
import { isAddress, isFolder, readAddress, textOf, type Address } from "../../storage/address"
import { decryptFile, isEncrypted } from "../../storage/age"
import { download, list, upload } from "../../storage/bucket"
import { backupName, countedNames, encryptedName } from "../../storage/names"

/** Parses the address of a backup that is given on the command line. */
function addressOf(text: string): Address {
  try {
    return readAddress(text)
  } catch (error) {
    throw new UsageError(`The address ${messageOf(error)}`)
  }
}

/**
 * Makes a backup next to the database and uploads it. If the address is a folder, the backup gets the name of an
 * automatic one. Returns its address and its size.
 */
export async function backUpToStorage(
  source: Source,
  config: Config,
  text: string,
): Promise<{ stored: string; bytes: number }> {
  const address = addressOf(text)
  const secrets = takeBackupSecrets()
  const bucket = bucketOf(config, address, secrets)
  const { passphrase } = secrets
  const name = passphrase === null ? backupName() : encryptedName(backupName())
  const path = isFolder(address) ? address.path + name : address.path
  // A bucket that cannot be used is refused before the backup, which may take long.
  await list(bucket, path)
  const file = unfinishedIn(temporaryFolderOf(source.file), "upload")
  try {
    await backUp(source, file)
    return { stored: textOf({ ...address, path }), bytes: await upload({ bucket, file, path, passphrase }) }
  } finally {
    rmSync(file, { force: true })
  }
}

type PlainBackup = {
  config: Config
  given: string
  file: string
  /** True if a backup that is not encrypted may be used although there is a passphrase. */
  isPlainAllowed: boolean
}

/**
 * Passes a backup to `work` as a plain file, with its name for messages. A backup in S3-compatible storage is downloaded,
 * and an encrypted one is decrypted, to private files in the folder of the database `file`, which are deleted then.
 */
export async function withPlainBackup<T>(
  { config, given, file, isPlainAllowed }: PlainBackup,
  work: (copy: string, name: string) => Promise<T>,
): Promise<T> {
  const secrets = takeBackupSecrets()
  const temporary: string[] = []
  const temporaryName = (): string => {
    const name = unfinishedIn(dirname(file), "restore")
    temporary.push(name)
    return name
  }
  try {
    const fetched = isAddress(given) ? await fetchBackup(config, given, secrets, temporaryName()) : null
    const { copy, name } = fetched ?? { copy: given, name: given }
    if (!isPlainAllowed && secrets.passphrase !== null) await assertEncrypted(copy, name)
    const plain = await decrypted({ copy, name }, secrets.passphrase, temporaryName)
    return await withName(plain, name, () => work(plain, name))
  } finally {
    for (const each of temporary)
      for (const suffix of ["", "-wal", "-shm"]) rmSync(each + suffix, { force: true })
  }
}

/** Downloads a backup; the newest one, if a folder is given. */
async function fetchBackup(config: Config, given: string, secrets: BackupSecrets, copy: string) {
  const address = addressOf(given)
  const bucket = bucketOf(config, address, secrets)
  const path = isFolder(address)
    ? address.path + newestOf(await list(bucket, `${address.path}kontor-`), address)
    : address.path
  await download(bucket, path, copy)
  return { copy, name: textOf({ ...address, path }) }
}

function newestOf(paths: string[], address: Address): string {
  const names = paths.map((path) => path.slice(address.path.length))
  const newest = countedNames(names, () => {}).at(-1)
  if (newest === undefined) throw new Unusable(`There is no backup at ${textOf(address)}.`)
  return newest
}

/** Anybody who can write to the storage can put a newer plain backup there. An encrypted one needs the passphrase. */
async function assertEncrypted(copy: string, name: string): Promise<void> {
  if (!(await Bun.file(copy).exists()) || isEncrypted(copy)) return
  throw new Unusable(
    `${name} is not encrypted, but there is a passphrase, so it may come from somebody else. If you trust it, restore it with --plain.`,
  )
}

/** Returns the backup itself, or a decrypted file if it is encrypted. */
async function decrypted(
  { copy, name }: { copy: string; name: string },
  passphrase: string | null,
  temporaryName: () => string,
): Promise<string> {
  if (!(await Bun.file(copy).exists()) || !isEncrypted(copy)) return copy
  if (passphrase === null)
    throw new Unusable(
      `${name} is encrypted. Set KONTOR_BACKUP_PASSPHRASE or KONTOR_BACKUP_PASSPHRASE_FILE to its passphrase.`,
    )
  const to = temporaryName()
  await decryptFile({ from: copy, to, name }, passphrase)
  return to
}

/** Runs `work`. Its messages have the name of the backup instead of the name of a temporary file. */
async function withName<T>(file: string, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Unusable ? new Unusable(error.message.replaceAll(file, name)) : error
  }
}
