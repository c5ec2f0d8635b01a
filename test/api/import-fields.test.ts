import { afterAll, beforeAll, expect, test } from "bun:test"
import { importFields, importKeys } from "../../src/shared/import-fields"
import { signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"

// The console offers the fields of src/shared/import-fields.ts. The server takes them from its models.

let api: Api
beforeAll(async () => {
  api = await signIn(await serve())
})
afterAll(cleanUp)

const kinds = Object.keys(importFields) as (keyof typeof importFields)[]
const send = (query: string) =>
  api.post(`/imports?${query}`, "Foo,Bar\n1,2\n", { "content-type": "text/csv" })

/** Why a file without any column of a field is refused. */
async function refusalOfColumns(query: string): Promise<string> {
  const { id } = (await send(query)).body.data
  for (;;) {
    const { status, error } = (await api.get(`/imports/${id}`)).body.data
    if (status === "failed") return error.message
    await Bun.sleep(20)
  }
}

test.each(kinds)("The console knows the fields of an import of %s.", async (kind) => {
  const { message } = (await send(`kind=${kind}&mapping=nothing:Foo`)).body.error
  const names = /the fields are (.*)\.$/.exec(message)?.[1]?.split(", ")
  const { required, optional } = importFields[kind]
  expect(names?.toSorted()).toEqual([...required, ...optional].toSorted())
})

test.each(kinds)("The console knows which fields an import of %s needs.", async (kind) => {
  const message = await refusalOfColumns(`kind=${kind}&dryRun=true`)
  for (const field of importFields[kind].required) expect(message).toContain(field)
})

test.each(["items", "customers"] as const)("The console knows the keys of %s.", async (kind) => {
  const message = await refusalOfColumns(`kind=${kind}&mode=update&dryRun=true`)
  expect(message).toContain(`No column was found for ${importKeys[kind].join(" or ")}.`)
})
