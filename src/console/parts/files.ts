import { useState, type DragEvent } from "react"

/** Saves a file as a download of the browser. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // After this time even a slow browser has read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** The handlers of an area on which a file can be dropped. */
export function useDrop(onFile: (file: File) => unknown) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    // The browser opens a dropped file unless both events are handled.
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const [file] = event.dataTransfer.files
      if (file) onFile(file)
    },
  }
}
