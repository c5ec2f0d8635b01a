import { dlopen, type FFIFunction } from "bun:ffi"

const libraries: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["libSystem.B.dylib"],
}

/** Loads functions of the C library; returns null when it cannot be loaded. */
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
