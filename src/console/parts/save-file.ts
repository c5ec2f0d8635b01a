/** Saves a file as a download of the browser. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // After this time even a slow browser has read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
