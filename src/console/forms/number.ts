/** The value of a number input: a number, or the typed text if it is not a number. */
export type Typed = number | string

/**
 * Parses and formats numbers in a language. The thousands separators of that language are recognized first: 1.234 is
 * more than a thousand in German. In any other number the last point or comma is the decimal separator: 12.50 and 12,50
 * are twelve and a half in every language.
 */
export function numbersIn(languages: readonly string[]) {
  const formatWith = formatsIn(languages)
  const format = formatWith(0)
  const group = format.formatToParts(1_234_567.8).find(({ type }) => type === "group")?.value ?? ""
  const own = groupedBy.get(group)
  const forms = [...(own ? [own] : []), single, ...groupedBy.values()]

  return {
    /** Formats for display, with thousands separators and at least this many decimals. */
    write: (value: number, digits = 0): string => formatWith(digits).format(value),
    /** Formats for editing, without thousands separators. */
    writePlain: (value: number, digits = 0): string =>
      formatWith(digits)
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

/** Returns a function that returns the format with at least this many decimals. */
function formatsIn(languages: readonly string[]) {
  const formats = new Map<number, Intl.NumberFormat>()
  return (minimumFractionDigits: number): Intl.NumberFormat => {
    const options = { numberingSystem: "latn", minimumFractionDigits, maximumFractionDigits: 20 }
    const format = formats.get(minimumFractionDigits) ?? new Intl.NumberFormat([...languages], options)
    formats.set(minimumFractionDigits, format)
    return format
  }
}

/** A number with at most one point or comma. */
const single = /^(?<sign>-?)(?=[.,]?\d)(?<whole>\d*)[.,]?(?<decimals>\d*)$/

/** A number with one of the two as thousands separator and the other before the decimals. Indian: 12,34,567. */
const grouped = (group: string, decimal: string) =>
  new RegExp(
    `^(?<sign>-?)(?<whole>[1-9]\\d{0,2}([${group}]\\d{2,3})*[${group}]\\d{3})([${decimal}](?<decimals>\\d*))?$`,
  )
const groupedBy = new Map([
  [",", grouped(",", ".")],
  [".", grouped(".", ",")],
])
