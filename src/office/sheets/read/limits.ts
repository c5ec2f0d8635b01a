/** Rows of a CSV file, without titles and empty rows. */
export const mostCsvRows = 100_000
/** Rows of an XLSX file, without titles and empty rows. */
export const mostXlsxRows = 20_000
/** Rows of a file with the empty ones: a spreadsheet has no more. */
export const mostRows = 1_048_576
/** Columns of a file. */
export const mostColumns = 500
/** Characters of a cell. */
export const longestCell = 100_000
/** Characters of a cell as an XLSX file has them, where one may be written as seven: `_x000D_`. */
export const longestXlsxCell = 7 * longestCell
/** Bytes of the cells of a row of a CSV file. More are a quotation mark that is never closed. */
export const longestCsvRow = 1_000_000
/** Texts that the cells of an XLSX file share. */
export const mostSharedStrings = 2_000_000
/** Bytes of an XLSX file, which is in memory as a whole. */
export const mostXlsxBytes = 8 * 1024 * 1024
/** The rows at the beginning of a file that its format is recognized from. */
export const headRows = 1_000
