// Where the system has no language, the library replaces `navigator`, from which Bun tells the number of processors: a
// server in this process would then hash no password.
const { navigator } = globalThis
const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs")
Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true, writable: true })

/** What a reader finds in a PDF. */
export type ReadPdf = {
  /** The text of each page, one line for each line on the page. */
  pages: string[]
  /** The text of all pages. Spaces that do not break are ordinary spaces. */
  text: string
  title: string
  language: string
  /** The attached files and their contents. */
  attachments: Record<string, string>
  /** The metadata, as XML. */
  xmp: string
  /** The placed texts of each page, from the left and the top of the page, in points. */
  placed: { text: string; x: number; y: number; width: number }[][]
}

type Info = { Title?: string; Language?: string }
type PdfDocument = Awaited<ReturnType<typeof getDocument>["promise"]>

/** Reads a PDF as other programs do. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: bytes.slice(), verbosity: 0 })
  const document = await task.promise
  const placed: ReadPdf["placed"] = []
  for (let number = 1; number <= document.numPages; number++)
    placed.push(await textsOf(await document.getPage(number)))
  const info = (await document.getMetadata()).info as Info
  const attachments = await attachmentsOf(document)
  await task.destroy()
  const pages = placed.map((texts) => texts.map(({ text }) => text).join("\n"))
  return {
    pages,
    text: pages.join("\n"),
    title: info.Title ?? "",
    language: info.Language ?? "",
    attachments,
    xmp: xmpOf(bytes),
    placed,
  }
}

type Page = Awaited<ReturnType<PdfDocument["getPage"]>>

async function textsOf(page: Page): Promise<ReadPdf["placed"][number]> {
  const height = page.view[3] ?? 0
  const { items } = await page.getTextContent()
  return items.flatMap((item) => {
    if (!("str" in item) || item.str.trim() === "") return []
    const text = item.str.replace(/[\u00a0\u202f]/g, " ")
    return [{ text, x: item.transform[4], y: height - item.transform[5], width: item.width }]
  })
}

async function attachmentsOf(document: PdfDocument): Promise<Record<string, string>> {
  const found = [...((await document.getAttachments()) ?? new Map<string, unknown>()).keys()]
  const contents = await Promise.all(found.map((name) => document.getAttachmentContent(name)))
  return Object.fromEntries(found.map((name, i) => [name, Buffer.from(contents[i] ?? []).toString()]))
}

/** The metadata is not compressed, so that programs find it without reading the PDF. */
function xmpOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString()
  // A text of the document may contain these words too.
  const start = text.lastIndexOf("<?xpacket begin")
  return text.slice(start, text.indexOf('<?xpacket end="w"?>', start))
}

/** The texts of a PDF that are drawn over each other or outside of the margins of the page, which must be none. */
export const misplaced = ({ placed }: ReadPdf): string[] =>
  placed.flatMap((texts, i) => {
    const outside = texts.filter(({ x, y, width }) => x < 8 || x + width > 588 || y < 20 || y > 836)
    const covered = texts.filter((text, n) => texts.slice(n + 1).some((other) => areOverlapping(text, other)))
    return [...outside, ...covered].map(({ text }) => `page ${i + 1}: ${text}`)
  })

type Placed = ReadPdf["placed"][number][number]

const areOverlapping = (a: Placed, b: Placed): boolean =>
  Math.abs(a.y - b.y) < 4 && a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5
