import { expect } from "bun:test"
import type { Api } from "./api"

type Fault = { row: number; field: string; message: string }

/** Imports invoices of another system. If one of them is wrong, nothing is stored, and the faults are returned. */
export async function importOpening(api: Api, rows: readonly object[]): Promise<Fault[]> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => quoted(row[name as keyof object])).join(","))
  const file = [names.join(","), ...lines].join("\r\n")
  const query = "kind=opening-invoices&decimal=.&delimiter=,&dateOrder=ymd"
  const started = await api.post(`/imports?${query}`, file, { "content-type": "text/csv" })
  expect(started).toMatchObject({ status: 202 })
  const ended = await endOf(api, started.body.data.id)
  expect(ended.status).toBe(ended.faults.length === 0 ? "finished" : "failed")
  return ended.faults
}

/** Waits for the end of an import. */
async function endOf(api: Api, id: string) {
  for (;;) {
    const { data } = (await api.get(`/imports/${id}`)).body
    if (data.finishedAt !== null) return data
    await Bun.sleep(10)
  }
}

const quoted = (value: unknown): string =>
  value === null || value === undefined ? "" : `"${String(value).replaceAll('"', '""')}"`
