import type { ReactNode } from "react"

/** Stands for the element in the text. It is the Unicode character for an object in a text. */
const slot = "\uFFFC"

/** A text with an element in the place of one of its values, such as a link in a sentence. */
export function TextAround({ text, children }: { text: (slot: string) => string; children: ReactNode }) {
  const [before, after] = text(slot).split(slot)
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
