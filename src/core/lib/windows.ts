import { dlopen, FFIType } from "bun:ffi"

const { ptr, u32, i64_fast: handle } = FFIType
const readWriteAndDelete = 0xc0010000
const shareNothing = 0
const openAlways = 4
const deleteOnClose = 0x04000000
const noHandle = -1

/**
 * Creates or opens a file that no other process can open until this one ends; Windows then deletes it. Returns false if
 * another process has it open. The handle is never closed.
 */
export function openAlone(path: string): boolean {
  const kernel = dlopen("kernel32.dll", {
    CreateFileW: { args: [ptr, u32, u32, ptr, u32, u32, ptr], returns: handle },
  })
  const name = Buffer.from(`${path}\0`, "utf16le")
  const opened = kernel.symbols.CreateFileW(
    name,
    readWriteAndDelete,
    shareNothing,
    null,
    openAlways,
    deleteOnClose,
    null,
  )
  return Number(opened) !== noHandle
}
