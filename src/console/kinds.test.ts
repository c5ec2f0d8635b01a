import { expect, test } from "bun:test"
import { kindList } from "./kinds"

test("Every kind of the console has a page at its path.", async () => {
  const pages = await Bun.file(`${import.meta.dir}/shell/pages.tsx`).text()
  for (const { title, path, recordPath } of kindList) {
    const address = recordPath?.(":id").split("?")[0]
    for (const each of [path, ...(address ? [address] : [])])
      expect([title, each, pages.includes(`path="${each}"`)]).toEqual([title, each, true])
  }
})
