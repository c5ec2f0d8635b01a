import { afterAll, expect, test } from "bun:test"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { cleanUp, emptyFolder } from "./support/kontor"

afterAll(cleanUp)

const node = Bun.which("node")
const script = resolve("scripts/install.mjs")

/** Installs in an empty folder, with an npm that brings a package whose program leaves a file behind. */
function install({ isLocked }: { isLocked: boolean }) {
  const folder = emptyFolder()
  const write = (path: string, text: string) => {
    writeFileSync(join(folder, path), text)
    if (!path.includes(".")) chmodSync(join(folder, path), 0o755)
  }
  for (const path of ["package/bin", "programs"]) mkdirSync(join(folder, path), { recursive: true })
  write("package/bin/bun", '#!/bin/sh\necho "$*" > ran.txt\n')
  Bun.spawnSync(["tar", "-czf", "package.tgz", "package"], { cwd: folder })
  const bytes = isLocked ? readFileSync(join(folder, "package.tgz")) : Buffer.from("another package")
  const digest = `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`
  // Called with: pack --silent --pack-destination FOLDER NAME@VERSION
  const asked = '$(echo "$5" | sed -e s/^@// -e s,/,-, -e s/@/-/)'
  write("programs/npm", `#!/bin/sh\ncp package.tgz "$4/${asked}.tgz"\n`)
  write("package.json", JSON.stringify({ dependencies: { bun: "1.2.3" } }))
  const names = ["linux", "darwin"].flatMap((system) =>
    ["x64", "aarch64", "x64-musl", "aarch64-musl"].map((processor) => `@oven/bun-${system}-${processor}`),
  )
  write("bun.lock", names.map((name) => `  "${name}": ["${name}@1.2.3", "", {}, "${digest}"],\n`).join(""))
  const { exitCode, stderr } = Bun.spawnSync([node ?? "", script], {
    cwd: folder,
    env: { PATH: `${join(folder, "programs")}:${process.env.PATH}` },
  })
  const ran = join(folder, "ran.txt")
  return { exitCode, stderr: stderr.toString(), ran: existsSync(ran) ? readFileSync(ran, "utf8") : null }
}

const canInstall = node !== null && process.platform !== "win32"

test.if(canInstall)("Bun is run if it is the package that bun.lock names", () => {
  expect(install({ isLocked: true })).toMatchObject({ exitCode: 0, ran: "install --frozen-lockfile\n" })
})

test.if(canInstall)("nothing of a package is run that differs from the one in bun.lock", () => {
  expect(install({ isLocked: false })).toEqual({
    exitCode: 1,
    stderr: expect.stringMatching(/@oven\/bun-\S+ is not the package that bun\.lock names\.\n$/),
    ran: null,
  })
})
