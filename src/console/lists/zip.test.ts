import { expect, test } from "bun:test"
import { uniqueNames } from "./zip"

test("the names in a zip are allowed in file systems and different, also for documents of the same name.", () => {
  expect(
    uniqueNames(["2026/17.pdf", "Draft for Ada: “Ö”.pdf", "draft for ada: “ö”.pdf", "../../a.pdf", "b", "b"]),
  ).toEqual([
    "2026-17.pdf",
    "Draft for Ada- “Ö”.pdf",
    "draft for ada- “ö” (2).pdf",
    "..-..-a.pdf",
    "b",
    "b (2)",
  ])
})
