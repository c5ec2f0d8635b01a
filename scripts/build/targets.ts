// The systems for which Kontor is built.
import { existsSync } from "node:fs"

/** A system for which Kontor is built. */
export type Target = {
  /** The name in the name of a released file. */
  name: string
  /** The name of Bun's executable for this system. */
  bun: Bun.Build.CompileTarget
  /** The prebuilt argon2 addon for it. Null where there is none: Kontor then uses Bun's own argon2id. */
  addon: string | null
  /** The ending of an executable's name. */
  suffix: "" | ".exe"
}

const target = (name: string, bun: Bun.Build.CompileTarget, addon: string | null): Target => ({
  name,
  bun,
  addon,
  suffix: name.startsWith("windows") ? ".exe" : "",
})

export const targets: readonly Target[] = [
  target("linux-x64", "bun-linux-x64", "linux-x64/argon2.glibc.node"),
  target("linux-x64-musl", "bun-linux-x64-musl", "linux-x64/argon2.musl.node"),
  target("linux-arm64", "bun-linux-arm64", "linux-arm64/argon2.armv8.glibc.node"),
  target("linux-arm64-musl", "bun-linux-arm64-musl", "linux-arm64/argon2.armv8.musl.node"),
  target("macos-x64", "bun-darwin-x64", null),
  target("macos-arm64", "bun-darwin-arm64", "darwin-arm64/argon2.armv8.glibc.node"),
  target("windows-x64", "bun-windows-x64", "win32-x64/argon2.glibc.node"),
]

/** The target with this name. */
export function targetNamed(name: string): Target {
  const found = targets.find((each) => each.name === name)
  if (found) return found
  throw new Error(
    `There is no target ${name}. The targets are ${targets.map((each) => each.name).join(", ")}.`,
  )
}

/** The target for the system that runs this script. */
export const hostTarget = (): Target =>
  targetNamed(`${systemName()}-${process.arch}${isMusl() ? "-musl" : ""}`)

const systemName = (): string =>
  process.platform === "win32" ? "windows" : process.platform === "darwin" ? "macos" : process.platform

/** Whether musl is the C library of this system. Debian can have musl's loader beside its own, so both are looked for. */
function isMusl(): boolean {
  const [musl, glibc] =
    process.arch === "arm64"
      ? ["ld-musl-aarch64.so.1", "ld-linux-aarch64.so.1"]
      : ["ld-musl-x86_64.so.1", "ld-linux-x86-64.so.2"]
  return existsSync(`/lib/${musl}`) && !existsSync(`/lib/${glibc}`) && !existsSync(`/lib64/${glibc}`)
}
