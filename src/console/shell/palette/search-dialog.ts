import { createSpotlight } from "@mantine/spotlight"

/** The state of the search dialog, and the functions that open and close it. */
export const [searchStore, searchDialog] = createSpotlight()

/** The id of the list of results. */
export const resultsId = "search-results"

const resultWith = (attribute: string) => document.querySelector<HTMLElement>(`#${resultsId} [${attribute}]`)

/** Selects the first result. The library marks the selected result in the page, and has no function to select one. */
export function selectFirst(): void {
  resultWith("data-selected")?.removeAttribute("data-selected")
  resultWith("data-action")?.setAttribute("data-selected", "true")
  searchStore.updateState((state) => ({ ...state, selected: 0 }))
}

/** Opens the selected result, as Enter does. */
export const openSelected = (): void => resultWith("data-selected")?.click()
