import cyrillic from "@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2"
import greek from "@fontsource-variable/inter/files/inter-greek-wght-normal.woff2"
import latinExtended from "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2"
import latin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"
import ranges from "@fontsource-variable/inter/unicode.json"

const files = [
  [latin, ranges.latin],
  [latinExtended, ranges["latin-ext"]],
  [greek, ranges.greek],
  [cyrillic, ranges.cyrillic],
] as const

/**
 * Adds the font of the console. The browser loads only the files whose letters appear. They are not declared in a
 * stylesheet, because the bundler would put them into it.
 */
export function addFont(): void {
  for (const [file, unicodeRange] of files)
    document.fonts.add(
      new FontFace("Inter", `url(${file})`, { weight: "100 900", unicodeRange, display: "swap" }),
    )
}
