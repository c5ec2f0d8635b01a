import { expect } from "bun:test"
import { join } from "node:path"
import { copyDatabase, isPostgres } from "./engine"
import { run, type Kontor } from "./kontor"

/** Copies the database of a running server to a file, or to the database that stands for it. */
export async function copyTo(copy: string, { cwd, file }: Pick<Kontor, "cwd" | "file">): Promise<void> {
  if (isPostgres) copyDatabase(file, copy)
  else expect(await run(["backup", copy], { cwd })).toMatchObject({ code: 0 })
}

/** Makes a copy the database of the servers of a folder. */
export async function restoreIn(cwd: string, copy: string): Promise<void> {
  if (isPostgres) copyDatabase(copy, join(cwd, "kontor.db"))
  else expect(await run(["restore", copy], { cwd })).toMatchObject({ code: 0 })
}
