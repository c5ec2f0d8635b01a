import { SheetError } from "./sheet-error"
import { attribute, xmlScanner } from "./xml"
import type { ZipEntry } from "./zip-check"
import { textOfEntry } from "./zip-text"

/** The parts of an XLSX file that its first visible sheet needs. */
export type Workbook = {
  sheet: ZipEntry
  strings: ZipEntry | null
  styles: ZipEntry | null
  from1904: boolean
}

type Relation = { id: string; type: string; target: string }

const id = attribute("id")
const type = attribute("Type")
const target = attribute("Target")
const relationId = attribute("Id")
const state = attribute("state")
const date1904 = attribute("date1904")

/** Finds the first visible sheet of an XLSX file and what belongs to it. */
export function openWorkbook(bytes: Uint8Array, entries: ReadonlyMap<string, ZipEntry>): Workbook {
  const root = relationsOf(bytes, entries, "", "_rels/.rels")
  const path = root.find((relation) => relation.type === "officeDocument")?.target ?? "xl/workbook.xml"
  if (path.endsWith(".bin"))
    throw new SheetError(
      "BINARY_EXCEL",
      "The file is a binary Excel file (.xlsb). Save it as XLSX or CSV in your spreadsheet program and try again.",
    )
  const workbook = entries.get(path)
  if (!workbook) throw new SheetError("OTHER_ZIP", "The file is a ZIP file, but not an XLSX file.")
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""
  const name = path.slice(path.lastIndexOf("/") + 1)
  const relations = relationsOf(bytes, entries, folder, `${folder ? `${folder}/` : ""}_rels/${name}.rels`)
  const { visible, from1904 } = sheetsOf(textOfEntry(bytes, workbook))
  const partOf = (wanted: string) =>
    entries.get(relations.find((relation) => relation.type === wanted)?.target ?? "") ?? null
  // A sheet may also be a chart, which has another type.
  const sheet = visible
    .map((sheetId) => relations.find((relation) => relation.id === sheetId && relation.type === "worksheet"))
    .find((relation) => relation !== undefined)
  const entry = sheet && entries.get(sheet.target)
  if (!entry) throw new SheetError("NO_VISIBLE_SHEET", "The file has no visible sheet.")
  return { sheet: entry, strings: partOf("sharedStrings"), styles: partOf("styles"), from1904 }
}

/** The IDs of the visible sheets in their order. */
function sheetsOf(texts: Iterable<string>): { visible: string[]; from1904: boolean } {
  const visible: string[] = []
  let from1904 = false
  readXml(texts, (name, tag) => {
    if (name === "workbookPr") from1904 = ["1", "true"].includes(date1904(tag) ?? "")
    if (name === "sheet" && !["hidden", "veryHidden"].includes(state(tag) ?? "")) visible.push(id(tag) ?? "")
  })
  return { visible, from1904 }
}

function relationsOf(
  bytes: Uint8Array,
  entries: ReadonlyMap<string, ZipEntry>,
  folder: string,
  path: string,
): Relation[] {
  const entry = entries.get(path)
  const relations: Relation[] = []
  if (!entry) return relations
  readXml(textOfEntry(bytes, entry), (name, tag) => {
    if (name !== "Relationship") return
    relations.push({
      id: relationId(tag) ?? "",
      type: type(tag)?.split("/").at(-1) ?? "",
      target: resolved(folder, target(tag) ?? ""),
    })
  })
  return relations
}

/** The path of a part that is named relative to a folder. */
function resolved(folder: string, path: string): string {
  if (path.startsWith("/")) return path.slice(1)
  const names = folder === "" ? [] : folder.split("/")
  for (const name of path.split("/")) {
    if (name === "..") names.pop()
    else if (name !== ".") names.push(name)
  }
  return names.join("/")
}

/** Reads all opening tags of a part. */
export function readXml(texts: Iterable<string>, open: (name: string, tag: string) => void): void {
  const scan = xmlScanner({ open, close: () => {}, text: () => {} })
  for (const text of texts) scan(text)
}
