import { clientOf } from "./client"

/** An import that is in progress when the server is killed. The items of its rows have these codes. */
export type CrashImport = { key: string; codes: string[] }

/** The beginning of the codes of all imported items. */
export const importedCode = "IMPORTED-"

/** Everything that identifies a server and its caller. */
type Access = { url: string; credential: Record<string, string> }
type Import = { id: string; status: string; counts: { created: number }; error: { message: string } | null }

export const crashImportOf = (name: string, rows: number): CrashImport => ({
  key: `import-${name}`,
  codes: Array.from({ length: rows }, (_, i) => `${importedCode}${name}-${String(i).padStart(5, "0")}`),
})

/** Starts the import, or returns it if the server has it already. */
export async function startImport({ url, credential }: Access, { key, codes }: CrashImport): Promise<Import> {
  const file = ["itemCode,itemName", ...codes.map((code) => `${code},Imported`)].join("\n")
  const response = await fetch(`${url}/api/v1/imports?kind=items`, {
    method: "POST",
    headers: { ...credential, "content-type": "text/csv", "idempotency-key": key },
    body: file,
  })
  const { data } = (await response.json()) as { data: Import }
  if (response.status !== 202) throw new Error(`POST /imports returned ${response.status}.`)
  return data
}

/** Waits until an import that went on after a restart has ended, and checks that every row is there exactly once. */
export async function importProblems(
  access: Access,
  given: CrashImport,
  id: string | null,
): Promise<string[]> {
  const client = clientOf(access.url, access.credential)
  // An import without a response is sent again. One with a response goes on by itself.
  const started = id ?? (await startImport(access, given)).id
  let ended: Import
  do {
    await Bun.sleep(20)
    ended = (await client.call("GET", `/imports/${started}`)).body.data
  } while (!["finished", "failed"].includes(ended.status))
  const prefix = (given.codes[0] ?? "").slice(0, -5)
  const stored = await client.all("items", `&itemCode[like]=${prefix}%25&sort=itemCode`)
  const codes = stored.map(({ itemCode }) => itemCode)
  const problems: string[] = []
  if (ended.status !== "finished") problems.push(`${started} has failed: ${ended.error?.message}`)
  if (ended.counts.created !== given.codes.length)
    problems.push(`${started} has created ${ended.counts.created} of ${given.codes.length} items`)
  if (codes.join() !== given.codes.join())
    problems.push(`${started} has stored ${codes.length} instead of ${given.codes.length} rows once each`)
  const repeated = await startImport(access, given)
  if (repeated.id !== started) problems.push(`${started} was repeated as ${repeated.id}`)
  return problems
}
