import type { Locator } from "playwright-core"

type Colour = [red: number, green: number, blue: number, alpha: number]
/** The colour of a text, and the background and opacity of each element around it, the outermost first. */
type Painted = { text: string; colour: Colour; around: { background: Colour; opacity: number }[] }

/**
 * The texts and field values below some elements whose contrast is below 4.5:1, with their contrast. Unlike axe, this
 * also measures disabled fields. Throws if there is no text.
 */
export async function faintTexts(elements: Locator): Promise<string[]> {
  const painted = await elements.evaluateAll(readColours)
  if (painted.length === 0) throw new Error("There is no text.")
  return painted
    .map((each) => ({ text: each.text, contrast: contrastOf(each) }))
    .filter(({ contrast }) => contrast < 4.5)
    .map(({ text, contrast }) => `${text}: ${contrast.toFixed(2)}`)
}

/** Runs in the page. */
function readColours(roots: Element[]): Painted[] {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
  const colourOf = (css: string): Colour => {
    if (!canvas) throw new Error("There is no canvas.")
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = css
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  }
  const textOf = (element: Element): string =>
    element.matches("textarea, input:not([type=checkbox], [type=radio], [type=hidden])")
      ? (element as HTMLInputElement).value
      : [...element.childNodes].map((node) => (node instanceof Text ? node.data : "")).join("")
  const around = (element: Element | null): Painted["around"] => {
    if (!element) return []
    const { backgroundColor, opacity } = getComputedStyle(element)
    return [
      ...around(element.parentElement),
      { background: colourOf(backgroundColor), opacity: Number(opacity) },
    ]
  }
  return roots
    .flatMap((root) => [root, ...root.querySelectorAll("*")])
    .filter((element) => textOf(element).trim() !== "" && element.getBoundingClientRect().height > 0)
    .map((element) => ({
      text: textOf(element),
      colour: colourOf(getComputedStyle(element).color),
      around: around(element),
    }))
}

function contrastOf({ colour, around }: Painted): number {
  let behind: Colour = [255, 255, 255, 1]
  let opacity = 1
  for (const { background, opacity: own } of around) {
    opacity *= own
    behind = over(background, opacity, behind)
  }
  const [a, b] = [lightOf(over(colour, opacity, behind)), lightOf(behind)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function over([red, green, blue, alpha]: Colour, opacity: number, [r, g, b]: Colour): Colour {
  const share = alpha * opacity
  const mix = (front: number, back: number) => front * share + back * (1 - share)
  return [mix(red, r), mix(green, g), mix(blue, b), 1]
}

/** The relative luminance, as WCAG defines it. */
function lightOf([red, green, blue]: Colour): number {
  const linear = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
