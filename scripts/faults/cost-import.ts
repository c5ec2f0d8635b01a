// Imports of the most expensive files. The work is done after the response, so each is measured until it has ended.
import { mostImportBytes } from "../../src/shared/suggestions"
import { heldSince, measured, send, type Limits, type Result, type Target } from "./cost-measure"
import { millis } from "./cost-watch"

type Setting = { admin: Record<string, string>; limits: Limits; isShort: boolean }
type Import = { data: { id: string; status: string; faultCount: number; error: { code: string } | null } }

/** Files of a size in bytes, by what is expensive about them. All are dry runs, so that the shop stays as it is. */
const files: Readonly<Record<string, (size: number) => string>> = {
  "500 columns of one character": (size) => {
    const titles = ["itemCode", "itemName", ...Array.from({ length: 498 }, (_, i) => `c${i}`)].join(",")
    return filled(titles, () => "x,".repeat(499) + "x", size)
  },
  "rows with a fault in every cell": (size) =>
    filled(
      "itemCode,itemName,sellingPrice,costPrice,taxCode,isActive,images,metadata",
      () => ",,a,b,c,d,e,f",
      size,
    ),
  "cells of 90,000 characters": (size) =>
    filled("itemCode,itemName,description", (i) => `L-${i},x,${"ä&".repeat(45_000)}`, size),
  "one cell that is never closed": (size) => `itemCode,itemName\n"${"x,\n".repeat(size / 3 - 10)}`,
  "500 titles that become 18 times as long": () =>
    `itemCode,itemName,${Array.from({ length: 498 }, () => "ﷺ".repeat(200)).join(",")}\n${"x,".repeat(499)}x\n`,
  "empty rows": (size) => `itemCode,itemName\n${"\n".repeat(size - 100)}x,y\n`,
}

/** Repeats rows below titles up to a size in bytes, but no more rows than an import may have. */
function filled(titles: string, rowOf: (i: number) => string, size: number): string {
  const rows = [titles]
  const length = Buffer.byteLength(rowOf(0)) + 10
  const most = Math.min(99_999, Math.floor((size - titles.length) / length))
  for (let i = 0; i < most; i++) rows.push(rowOf(i))
  return `${rows.join("\n")}\n`
}

/** Imports each file and measures how long other clients had to wait until it had ended. */
export async function* importResults(setting: Setting, targetNow: () => Target): AsyncGenerator<Result> {
  const size = setting.isShort ? 256 * 1024 : mostImportBytes.csv - 1024
  for (const [name, fileOf] of Object.entries(files))
    yield await measured(setting.limits.hold, () =>
      resultOf(name, new TextEncoder().encode(fileOf(size)), setting, targetNow()),
    )
}

async function resultOf(
  name: string,
  body: Uint8Array<ArrayBuffer>,
  { admin }: Setting,
  target: Target,
): Promise<Result> {
  const from = millis()
  const headers = { ...admin, "content-type": "text/csv" }
  const path = "/api/v1/imports"
  const sent = { method: "POST", path: `${path}?kind=items&dryRun=true`, headers, body }
  const answer = await send(target.url, sent)
  const ended =
    answer.status === 202 ? await endOf(target, `${path}/${(answer.body as Import).data.id}`, admin) : null
  const hold = await heldSince(target, from)
  const isFailure = ended === null || ended.data.error?.code === "INTERNAL_ERROR"
  return {
    operation: "POST /imports",
    parameter: "body",
    value: name,
    hold,
    status: answer.status,
    problem: isFailure ? "has no proper end" : null,
  }
}

async function endOf({ url }: Target, path: string, headers: Record<string, string>): Promise<Import | null> {
  for (;;) {
    const { body } = await send(url, { method: "GET", path, headers })
    const found = body as Import | null
    if (!found || ["finished", "failed"].includes(found.data.status)) return found
    await Bun.sleep(100)
  }
}
