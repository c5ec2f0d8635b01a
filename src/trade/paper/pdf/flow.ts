import type { Pen } from "./pen"

/** A part of a page: its height, and how to draw it at a position. */
export type Piece = { height: number; draw(pen: Pen, y: number): void }

/** A page: the pieces on it, from top to bottom. */
export type Page = { placed: { y: number; piece: Piece }[]; end: number }

/** Fills pages from top to bottom. Nothing is drawn yet, so that the number of pages is known when it is. */
export type Flow = {
  pages: Page[]
  /** The height that is left on the page. */
  room(): number
  /** The height of an empty later page. */
  fullHeight: number
  /** Adds a piece, on a new page if this page has no room for it. */
  add(piece: Piece): void
  /** Adds space, unless the page is new. */
  space(height: number): void
  breakPage(): void
}

export function createFlow(firstTop: number, laterTop: number, bottom: number): Flow {
  let page: Page = { placed: [], end: firstTop }
  let top = firstTop
  const pages = [page]

  const breakPage = () => {
    top = laterTop
    page = { placed: [], end: top }
    pages.push(page)
  }
  const room = () => bottom - page.end

  return {
    pages,
    room,
    fullHeight: bottom - laterTop,
    add: (piece) => {
      if (piece.height > room() && page.end > top) breakPage()
      page.placed.push({ y: page.end, piece })
      page.end += piece.height
    },
    space: (height) => {
      if (page.end > top) page.end += height
    },
    breakPage,
  }
}
