import type { MouseEvent } from "react"

/** The input that the pressed mouse button is about to focus. */
let entered: EventTarget | null = null

type Click = MouseEvent<HTMLInputElement>

/**
 * The mouse handlers of an input whose text is replaced by typing: the click that focuses the input selects its text.
 * In a focused input, a click places the cursor, as usual. Tab needs no handler, because the browser selects the text.
 */
export const selectAllOnClick = {
  onMouseDown: ({ currentTarget }: Click) => {
    entered = document.activeElement === currentTarget ? null : currentTarget
  },
  onClick: ({ currentTarget }: Click) => {
    // If the user has dragged over a part of the text, that part stays selected.
    const hasPart = currentTarget.selectionStart !== currentTarget.selectionEnd
    if (entered === currentTarget && !hasPart) currentTarget.select()
    entered = null
  },
}
