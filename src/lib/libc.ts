import { dlopen, type FFIFunction } from "bun:ffi"

const libraries: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["libSystem.B.dylib"],
}

/** Functions of the system's own library; null where it cannot be asked. */
export function libc<T extends Record<string, FFIFunction>>(functions: T) {
  for (const library of libraries[process.platform] ?? []) {
    try {
      return dlopen(library, functions).symbols
    } catch {
      continue
    }
  }
  return null
}
