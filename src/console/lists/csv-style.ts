/** How a spreadsheet in the user's locale expects numbers: with a decimal comma, the cells are separated by semicolons. */
export function csvStyleOf(languages: readonly string[]): { delimiter: "," | ";"; decimal: "." | "," } {
  const format = new Intl.NumberFormat([...languages], { numberingSystem: "latn" })
  const decimal = format.formatToParts(1.5).find(({ type }) => type === "decimal")?.value
  return decimal === "," ? { delimiter: ";", decimal: "," } : { delimiter: ",", decimal: "." }
}
