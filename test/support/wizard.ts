import type { Window } from "./browser"

/** A file to choose in the browser. */
export const fileOf = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: "",
  buffer: Buffer.from(content),
})

/** Chooses a file in the import wizard. */
export const choose = (page: Window, file: ReturnType<typeof fileOf>) =>
  page.locator("input[type=file]").setInputFiles(file)

/** The heading of a step of the wizard. */
export const heading = (page: Window, name: string | RegExp) => page.getByRole("heading", { level: 2, name })

/** The choice of the field that a column is. */
export const fieldOf = (page: Window, column: string) =>
  page.getByLabel(`Field of the column ${column}`, { exact: true })

export const checkRows = (page: Window) => page.getByRole("button", { name: "Check the rows" }).click()

export const alertOf = (page: Window) => page.getByRole("main").getByRole("alert")
