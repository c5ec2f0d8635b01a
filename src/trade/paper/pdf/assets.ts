// The fonts and the colour profile are files of packages. The executable contains them, so they are imported as files.
import boldFile from "@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf" with { type: "file" }
import regularFile from "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf" with { type: "file" }
import profileFile from "../../../../node_modules/pdfkit/js/data/sRGB_IEC61966_2_1.icc" with { type: "file" }
import PDFDocument from "pdfkit"
import { faceOf, type Face, type FontFile } from "./face"
import type { Weight } from "./style"

export type Assets = { faces: Record<Weight, Face>; colorProfile: Uint8Array }

/** Without this option, pdfkit loads Helvetica from a file, which the executable does not have. Its types lack null. */
export const noFont = null as unknown as string

let loaded: Promise<Assets> | undefined

/** Reads the fonts and the colour profile once per thread. */
export const loadAssets = (): Promise<Assets> => (loaded ??= readAssets())

async function readAssets(): Promise<Assets> {
  const [regular, bold, colorProfile] = await Promise.all(
    [regularFile, boldFile, profileFile].map((file) => Bun.file(file).bytes()),
  )
  if (!regular || !bold || !colorProfile) throw new Error("The fonts of PDFs are missing.")
  return { faces: { regular: faceOf(parsed(regular)), bold: faceOf(parsed(bold)) }, colorProfile }
}

/** Parses a font with the parser of pdfkit, which is not part of its API. */
function parsed(bytes: Uint8Array): FontFile {
  const document = new PDFDocument({ font: noFont, autoFirstPage: false })
  document.font(Buffer.from(bytes))
  return (document as unknown as { _font: { font: FontFile } })._font.font
}
