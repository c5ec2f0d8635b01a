// Runs commands on a copy of this system that exists only in memory.
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A copy of this system in which commands run. */
export type Root = {
  /** Resolves with the exit code of the commands. */
  exited: Promise<number>
  /** Runs one more command in it and waits for its end. */
  run: (command: string[]) => { code: number; output: string }
  /** What the commands have printed so far. */
  output: () => string
  signal: (name: NodeJS.Signals) => void
  /** Kills everything in it, and deletes what it has left. */
  end: () => Promise<void>
}

const namespaces = ["--mount", "--pid", "--fork", "--cgroup", "--uts", "--ipc", "--kill-child"]
const script = `${import.meta.dir}/in-root.sh`

/** Returns why this machine cannot make such a copy; null if it can. */
export async function whyNoRoot(): Promise<string | null> {
  if (process.platform !== "linux") return "it needs Linux"
  if (process.getuid?.() !== 0) return "it needs root"
  const missing = ["unshare", "nsenter", "setpriv", "pivot_root"].filter((name) => Bun.which(name) === null)
  if (missing.length > 0) return `${missing.join(", ")} is not installed`
  if (groupsFolder() === null) return "there are no control groups of version 2"
  try {
    const root = openRoot("true", "/bin/true")
    const code = await root.exited
    const reason = root.output().trim().split("\n").at(-1)
    await root.end()
    return code === 0 ? null : `namespaces cannot be used: ${reason}`
  } catch (error) {
    return `control groups cannot be used: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Starts shell commands in a new copy, in which /kontor-built is the given executable. */
export function openRoot(commands: string, binary: string): Root {
  const name = `kontor-root-${crypto.randomUUID()}`
  const group = join(groupsFolder() ?? "", name)
  mkdirSync(group)
  const folder = join(tmpdir(), name)
  const [file, log, root] = [join(folder, "commands"), join(folder, "log"), join(folder, "root")]
  mkdirSync(folder, 0o700)
  mkdirSync(root)
  writeFileSync(file, commands)
  const child = Bun.spawn(
    // The process is in a control group of its own, so that the groups that systemd makes are inside it.
    [
      "sh",
      "-euc",
      'echo $$ > "$0/cgroup.procs"; exec "$@"',
      group,
      "unshare",
      ...namespaces,
      "sh",
      script,
      root,
      binary,
      file,
    ],
    { stdin: "ignore", stdout: Bun.file(log), stderr: Bun.file(log) },
  )
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim()
  return {
    exited: child.exited,
    run(command) {
      const enter = ["nsenter", "--target", first(), "--all", "--root", "--wd", ...command]
      const { exitCode, stdout, stderr } = Bun.spawnSync(enter, { stdout: "pipe", stderr: "pipe" })
      return { code: exitCode, output: stdout.toString() + stderr.toString() }
    },
    output: () => readFileSync(log, "utf8"),
    signal: (name) => process.kill(Number(first()), name),
    async end() {
      child.kill("SIGKILL")
      await child.exited
      await removeGroups(group)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Where the control groups of version 2 are. */
function groupsFolder(): string | null {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n")
  return mounts.map((line) => line.split(" ")).find(([, , type]) => type === "cgroup2")?.[1] ?? null
}

/** Deletes a control group and those inside it, after the last process in them has ended. */
async function removeGroups(group: string): Promise<void> {
  while (readFileSync(join(group, "cgroup.events"), "utf8").includes("populated 1")) await Bun.sleep(10)
  const inner = Bun.spawnSync(["find", group, "-depth", "-type", "d"]).stdout.toString()
  for (const folder of inner.trim().split("\n")) rmdirSync(folder)
}
