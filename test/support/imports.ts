import { expect } from "bun:test"
import type { Api, Answer } from "./api"
import { inFile } from "./file"
import type { Kontor } from "./kontor"

export const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

/** A file as text in UTF-8, or as bytes. */
export type File = string | Uint8Array

/** Imports files with the rights of an API client. */
export const importer = (api: Api) => {
  const send = (query: string, file: File, headers: Record<string, string> = {}): Promise<Answer> =>
    api.post(`/imports?${query}`, file, { "content-type": "text/csv", ...headers })

  /** Waits until an import has a status; by default until it has ended. */
  const wait = async (id: string, statuses: readonly string[] = ["finished", "failed"]) => {
    for (;;) {
      const { body, status } = await api.get(`/imports/${id}`)
      expect(status).toBe(200)
      if (statuses.includes(body.data.status)) return body.data
      await Bun.sleep(20)
    }
  }
  return {
    send,
    wait,
    /** Imports a file and returns the import when it has ended. */
    async run(query: string, file: File, headers: Record<string, string> = {}) {
      const answer = await send(query, file, headers)
      expect(answer).toMatchObject({ status: 202 })
      return wait(answer.body.data.id)
    },
  }
}

/** The faults of an import, without what a test does not need. */
export const faultsOf = ({ faults }: { faults: { row: number; field: string; message: string }[] }) =>
  faults.map(({ row, field, message }) => [row, field, message])

const jobColumns =
  "kind, status, caller, input, state, output, error, progress, attempts, run_at, created_by, created_at, started_at, finished_at"

/** Writes copies of an import that has ended, as if it had been sent again, and returns their ids. */
export function copyImport(kontor: Pick<Kontor, "file">, id: string, copies: number): string[] {
  const ids = Array.from({ length: copies }, (_, i) => `imp_${String(i).padStart(26, "0")}`)
  const query = `INSERT INTO jobs (id, ${jobColumns}) SELECT ?, ${jobColumns} FROM jobs WHERE id = ?`
  inFile(kontor, (db) => {
    for (const copy of ids) db.query(query).run(copy, id)
  })
  return ids
}
