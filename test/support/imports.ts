import { expect } from "bun:test"
import type { Api, Answer } from "./api"

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
