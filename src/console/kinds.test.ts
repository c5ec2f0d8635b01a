import { expect, test } from "bun:test"
import { folders } from "./folders"

const transpiler = new Bun.Transpiler({ loader: "tsx" })
const read = (path: string) => Bun.file(`${import.meta.dir}/${path}`).text()

test("Every kind of the console has a page at its path.", async () => {
  const pages = await read("shell/pages.tsx")
  for (const [name, { path, recordPath, page }] of Object.entries(folders)) {
    if (page) {
      const { exports } = transpiler.scan(await read(`../shop/${name}/page.tsx`))
      expect([name, exports.toSorted()]).toEqual([name, ["List", "Record"]])
      continue
    }
    for (const each of [path, ...(recordPath ? [recordPath.split("?")[0]] : [])])
      expect([name, each, pages.includes(`path="${each}"`)]).toEqual([name, each, true])
  }
})
