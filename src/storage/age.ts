import { closeSync, openSync, readSync } from "node:fs"
import { Unusable } from "../core/lib/refusal"
import { writeStream } from "./files"

/**
 * The cost of one guess of a passphrase: 2^17 rounds of scrypt with 128 MB of memory, as OWASP recommends. The age
 * program itself uses 2^18, which needs 256 MB.
 */
const scryptWorkFactor = 17

/** The library computes tables when it is loaded, for which a server without encrypted backups does not wait. */
const load = () => import("age-encryption")

const header = "age-encryption.org/v1\n"

/** Encrypts a stream in the age format, with at most 64 kB of it in memory. */
export async function encrypted(content: ReadableStream, passphrase: string): Promise<ReadableStream> {
  const { Encrypter } = await load()
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(scryptWorkFactor)
  return encrypter.encrypt(content)
}

/** True if the file begins as a file of the age format does. */
export function isEncrypted(file: string): boolean {
  const descriptor = openSync(file, "r")
  try {
    const start = Buffer.alloc(header.length)
    return readSync(descriptor, start) === header.length && start.toString("latin1") === header
  } finally {
    closeSync(descriptor)
  }
}

/** Decrypts a file to a new, private file. `name` is the name of the backup for messages. */
export async function decryptFile(
  { from, to, name }: { from: string; to: string; name: string },
  passphrase: string,
): Promise<void> {
  const { Decrypter } = await load()
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const content = await decrypter.decrypt(Bun.file(from).stream()).catch(() => {
    throw new Unusable(`${name} cannot be decrypted: the passphrase is wrong, or the file is damaged.`)
  })
  try {
    await writeStream(content, to)
  } catch (error) {
    if (error instanceof Unusable) throw error
    throw new Unusable(`${name} is damaged and was not used: it cannot be decrypted to its end.`)
  }
}
