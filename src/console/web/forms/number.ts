/** What a number input holds: a number, or what was typed while it is none; empty where nothing was. */
export type Typed = number | string

/**
 * Reads and writes numbers in a language. A number with thousands separators of that language is read that way: 1.234
 * is more than a thousand in German. In any other number the last point or comma is the decimal separator: 12.50 and
 * 12,50 are twelve and a half everywhere.
 */
export function numbersIn(languages: readonly string[]) {
  const format = new Intl.NumberFormat([...languages], {
    numberingSystem: "latn",
    maximumFractionDigits: 20,
  })
  const group = format.formatToParts(1_234_567.8).find(({ type }) => type === "group")?.value ?? ""
  const own = groupedBy.get(group)
  const forms = [...(own ? [own] : []), single, ...groupedBy.values()]

  return {
    /** As it is shown: with its thousands apart. */
    write: (value: number): string => format.format(value),
    /** As it is typed: without. */
    writePlain: (value: number): string =>
      format
        .formatToParts(value)
        .map((part) => (part.type === "group" ? "" : part.value))
        .join(""),
    read(text: string): Typed {
      const bare = text.replace(/[\s'’\u200e\u200f\u061c]/g, "").replace("−", "-")
      if (bare === "") return ""
      const read = forms.map((form) => form.exec(bare)?.groups).find(Boolean)
      if (!read) return text.trim()
      const { sign = "", whole = "", decimals = "" } = read
      return Number(`${sign}${whole.replace(/[.,]/g, "")}.${decimals}0`)
    },
  }
}

/** One point or comma at most. */
const single = /^(?<sign>-?)(?=[.,]?\d)(?<whole>\d*)[.,]?(?<decimals>\d*)$/

/** Thousands apart by one of the two, and decimals after the other. In India it is 12,34,567. */
const grouped = (group: string, decimal: string) =>
  new RegExp(
    `^(?<sign>-?)(?<whole>[1-9]\\d{0,2}([${group}]\\d{2,3})*[${group}]\\d{3})([${decimal}](?<decimals>\\d*))?$`,
  )
const groupedBy = new Map([
  [",", grouped(",", ".")],
  [".", grouped(".", ",")],
])
