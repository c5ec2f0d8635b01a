/** Scrolls to the top of the page, where its title and its status are. */
export const showTop = (): void => window.scrollTo(0, 0)
