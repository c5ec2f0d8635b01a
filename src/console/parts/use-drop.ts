import { useState, type DragEvent } from "react"

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
