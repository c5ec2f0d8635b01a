// Reads the head of an executable: for which system and which processor it is.

export type Header = { format: "ELF" | "Mach-O" | "PE"; machine: "x64" | "arm64"; loader: string | null }

const machines: Record<string, Header["machine"]> = {
  "ELF 62": "x64",
  "ELF 183": "arm64",
  "Mach-O 16777223": "x64",
  "Mach-O 16777228": "arm64",
  "PE 34404": "x64",
  "PE 43620": "arm64",
}

/** Reads the header of an executable of 64 bits; throws if it is none. */
export function headerOf(bytes: Buffer): Header {
  if (bytes.readUInt32BE(0) === 0x7f454c46) return header("ELF", bytes.readUInt16LE(18), loaderOf(bytes))
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return header("Mach-O", bytes.readUInt32LE(4), null)
  if (bytes.toString("latin1", 0, 2) !== "MZ") throw new Error("This file is not an executable.")
  const start = bytes.readUInt32LE(60)
  if (bytes.toString("latin1", start, start + 4) !== "PE\0\0") throw new Error("This file has no PE header.")
  return header("PE", bytes.readUInt16LE(start + 4), null)
}

function header(format: Header["format"], code: number, loader: string | null): Header {
  const machine = machines[`${format} ${code}`]
  if (!machine) throw new Error(`${format} ${code} is an unknown processor.`)
  return { format, machine, loader }
}

/** The program that loads an ELF file, from its segment PT_INTERP. It tells glibc from musl. */
function loaderOf(bytes: Buffer): string | null {
  const [table, size, count] = [
    Number(bytes.readBigUInt64LE(32)),
    bytes.readUInt16LE(54),
    bytes.readUInt16LE(56),
  ]
  for (let at = table; at < table + size * count; at += size) {
    if (bytes.readUInt32LE(at) !== 3) continue
    const start = Number(bytes.readBigUInt64LE(at + 8))
    return bytes.toString("latin1", start, start + Number(bytes.readBigUInt64LE(at + 32)) - 1)
  }
  return null
}
