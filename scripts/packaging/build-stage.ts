// Runs the first stage of packaging/docker/Dockerfile without Docker: builds the executable in a folder that has only the
// files which the stage gets. It needs the internet, because it installs the dependencies.
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { contextFiles } from "./docker"

const folder = mkdtempSync(join(tmpdir(), "kontor-image-"))
try {
  for (const file of await contextFiles()) cpSync(file, join(folder, file), { recursive: true })
  const options = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] as ["ignore", "ignore", "inherit"] }
  const isBuilt = Bun.spawnSync(["npm", "run", "build"], options).success
  const isStarted = isBuilt && Bun.spawnSync([join(folder, "dist/kontor"), "version"], options).success
  process.exitCode = isStarted ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
