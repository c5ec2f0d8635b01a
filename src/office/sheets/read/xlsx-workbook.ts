import { SheetError } from "./sheet-error"
import { localName, readXml, type Attributes } from "./xml"
import type { ZipParts } from "./zip"

/** Unpacks a file inside. */
type Part = () => AsyncIterable<string>

/** The parts of an XLSX file that its first visible sheet needs. */
export type Workbook = {
  sheet: Part
  strings: Part | undefined
  styles: Part | undefined
  from1904: boolean
}

type Relation = { id: string; type: string; target: string }

/** Finds the first visible sheet of an XLSX file and what belongs to it. */
export async function openWorkbook(parts: ZipParts): Promise<Workbook> {
  const root = await relationsOf(parts, "", "_rels/.rels")
  const path = root.find((relation) => relation.type === "officeDocument")?.target ?? "xl/workbook.xml"
  if (path.endsWith(".bin"))
    throw new SheetError(
      "BINARY_EXCEL",
      "The file is a binary Excel file (.xlsb). Save it as XLSX or CSV in your spreadsheet program and try again.",
    )
  const workbook = parts.get(path)
  if (!workbook) throw new SheetError("OTHER_ZIP", "The file is a ZIP file, but not an XLSX file.")
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""
  const name = path.slice(path.lastIndexOf("/") + 1)
  const relations = await relationsOf(parts, folder, `${folder ? `${folder}/` : ""}_rels/${name}.rels`)
  const { visible, from1904 } = await sheetsOf(workbook())
  const partOf = (wanted: string) =>
    parts.get(relations.find((relation) => relation.type === wanted)?.target ?? "")
  // A sheet may also be a chart, which has another type. By their ids, because there may be millions of both.
  const sheets = new Map<string, string>()
  for (const { id, type, target } of relations)
    if (type === "worksheet" && !sheets.has(id)) sheets.set(id, target)
  const shown = visible.find((id) => sheets.has(id))
  const sheet = shown === undefined ? undefined : parts.get(sheets.get(shown) ?? "")
  if (!sheet) throw new SheetError("NO_VISIBLE_SHEET", "The file has no visible sheet.")
  return { sheet, strings: partOf("sharedStrings"), styles: partOf("styles"), from1904 }
}

/** The IDs of the visible sheets in their order. */
async function sheetsOf(workbook: AsyncIterable<string>): Promise<{ visible: string[]; from1904: boolean }> {
  const visible: string[] = []
  let from1904 = false
  await readXml(workbook, {
    open(name, attributes) {
      const { date1904 = "", state = "" } = attributes
      if (name === "workbookPr") from1904 = ["1", "true"].includes(date1904)
      if (name === "sheet" && !["hidden", "veryHidden"].includes(state)) visible.push(idIn(attributes))
    },
  })
  return { visible, from1904 }
}

/** The ID of the relation of a sheet, in any namespace. */
const idIn = (attributes: Attributes): string =>
  Object.entries(attributes).find(([name]) => localName(name) === "id")?.[1] ?? ""

async function relationsOf(parts: ZipParts, folder: string, path: string): Promise<Relation[]> {
  const relations: Relation[] = []
  const part = parts.get(path)
  if (!part) return relations
  await readXml(part(), {
    open(name, { Id: id = "", Type: type = "", Target: target = "" }) {
      if (name !== "Relationship") return
      relations.push({ id, type: type.split("/").at(-1) ?? "", target: resolved(folder, target) })
    },
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
