import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { emptyFolder } from "./kontor"

const suffix = "._S3rver_object"

/** The only access key that the storage knows. */
const accessKeyId = "S3RVER"
const secretAccessKey = "S3RVER"

const running = new Set<Bun.Subprocess>()

export type Storage = Awaited<ReturnType<typeof startStorage>>

/** Starts S3-compatible storage with an empty bucket `backups`. */
export async function startStorage(folder: string = emptyFolder(), port = 0) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "s3-server.ts"), folder, String(port)], {
    stdout: "pipe",
    stderr: "ignore",
  })
  running.add(child)
  const { value } = await child.stdout.getReader().read()
  const used = Number(new TextDecoder().decode(value))
  const place = (path: string) => join(folder, "backups", path)
  return {
    folder,
    port: used,
    /** The variables with the address of the storage and the key to it. */
    env: {
      KONTOR_S3_ENDPOINT: `http://127.0.0.1:${used}`,
      KONTOR_S3_ACCESS_KEY_ID: accessKeyId,
      KONTOR_S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    /** The names of the objects in a folder of the bucket. The storage writes the MD5 file of an object last. */
    names: (path = ""): string[] =>
      existsSync(place(path))
        ? readdirSync(place(path))
            .filter((name) => name.endsWith(suffix) && existsSync(join(place(path), `${name}.md5`)))
            .map((name) => name.slice(0, -suffix.length))
            .toSorted()
        : [],
    read: (path: string): Buffer => readFileSync(place(path) + suffix),
    async put(path: string, content: string | Uint8Array): Promise<void> {
      const client = new Bun.S3Client({
        endpoint: `http://127.0.0.1:${used}`,
        region: "us-east-1",
        bucket: "backups",
        accessKeyId,
        secretAccessKey,
      })
      await client.write(path, content)
    },
    async stop(): Promise<void> {
      child.kill("SIGKILL")
      await child.exited
      running.delete(child)
    },
  }
}

/** Stops all storage. Call it in afterAll. */
export async function stopStorage(): Promise<void> {
  for (const child of running) {
    child.kill("SIGKILL")
    await child.exited
  }
  running.clear()
}
