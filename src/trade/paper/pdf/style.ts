/** One millimetre in points, the unit of a PDF. */
export const mm = 72 / 25.4

/** A4, and the margins of a business letter (DIN 5008), whose address is visible in a window envelope. */
export const a4 = { width: 210 * mm, height: 297 * mm }
export const left = 25 * mm
export const right = a4.width - 20 * mm
export const contentWidth = right - left
/** Where the content of the second and later pages starts. */
export const laterTop = 30 * mm
/** The bottom of the footer. */
export const footerBottom = a4.height - 12 * mm

export const ink = "#14181f"
export const soft = "#5b6470"
export const rule = "#d5dae1"
/** The colour of the mark of a draft, behind the text. */
export const faint = "#eef0f3"

export type Weight = "regular" | "bold"

/** How a text looks: weight, size in points, colour. */
export type Style = { weight: Weight; size: number; color: string }

export const body: Style = { weight: "regular", size: 9, color: ink }
export const strong: Style = { ...body, weight: "bold" }
export const quiet: Style = { ...body, color: soft }
export const small: Style = { weight: "regular", size: 8, color: soft }
export const label: Style = { weight: "bold", size: 7.5, color: soft }
export const tiny: Style = { weight: "regular", size: 7, color: soft }

/** The height of a line of text. */
export const lineHeight = ({ size }: Style): number => size * 1.42
