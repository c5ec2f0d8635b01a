import { saveFile } from "../parts/files"

/** A file in a zip. */
type ZipEntry = { name: string; bytes: Uint8Array<ArrayBuffer> }

/** The most files in one zip. The browser has all of them in memory. */
export const mostFiles = 1_000

/** Saves files as one zip. PDFs are compressed already, so they are only stored. */
export async function saveZip(entries: readonly ZipEntry[], name: string): Promise<void> {
  // Loaded on first use, because few visits need it.
  const { Zip, ZipPassThrough } = await import("fflate")
  const parts: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, part) => {
    if (error) throw error
    parts.push(new Uint8Array(part))
  })
  const names = uniqueNames(entries.map((entry) => entry.name))
  entries.forEach(({ bytes }, i) => {
    const file = new ZipPassThrough(names[i] ?? "")
    zip.add(file)
    file.push(bytes, true)
  })
  zip.end()
  saveFile(new Blob(parts, { type: "application/zip" }), `${name}.zip`)
}

/** Returns names that file systems allow, with a number at the end of those that occur again. */
export function uniqueNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((given) => {
    const [, base = "", ending = ""] = /^(.*?)(\.[a-z]+)?$/s.exec(tidyName(given)) ?? []
    let name = base + ending
    for (let count = 2; used.has(name.toLowerCase()); count++) name = `${base} (${count})${ending}`
    used.add(name.toLowerCase())
    return name
  })
}

/** Replaces the characters that file names cannot have. */
const tidyName = (name: string): string => name.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, "-").slice(0, 120)
