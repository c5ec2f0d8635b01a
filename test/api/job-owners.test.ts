import { afterAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { importer } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"

const kontor = await serve()
const admin = await signIn(kontor)
afterAll(cleanUp)

const password = "correct horse battery"

async function manager(name: string): Promise<Api> {
  const email = `${name}@owners.example`
  await admin.create("/users", { email, name, role: "manager", password })
  return signIn(kontor, email, password)
}

const [owner, other] = [await manager("owner"), await manager("other")]
const keyOf = async (by: Api, scopes: string[]): Promise<Api> =>
  apiWith(kontor, { "x-api-key": (await by.create("/api-keys", { name: "Key", scopes })).key })
/** A file with a fault, whose values only its owner knows. */
const file = "itemCode,itemName,sellingPrice\nOWN-1,Secret,expensive\n"

/** Everything that a caller can ask about an import, and the statuses of the answers. */
async function asked(by: Api, id: string) {
  return {
    get: await by.get(`/imports/${id}`),
    faults: await by.get(`/imports/${id}/faults`),
    cancel: await by.post(`/imports/${id}/cancel`),
  }
}
const listed = async (by: Api): Promise<string[]> =>
  (await by.get("/imports")).body.data.map(({ id }: { id: string }) => id)

describe("an import", () => {
  test("does not exist for another user who may import, however they ask", async () => {
    const { id } = await importer(owner).run("kind=items&dryRun=true", file)
    const none = "imp_00000000000000000000000000"
    const [hidden, missing] = [await asked(other, id), await asked(other, none)]
    for (const [name, answer] of Object.entries(hidden)) {
      const like = missing[name as keyof typeof missing]
      expect(refusalOf(answer)).toMatchObject({ status: 404, code: "NOT_FOUND" })
      expect(answer.text.replaceAll(id, none).replaceAll(/"requestId":"[^"]*"/g, "")).toBe(
        like.text.replaceAll(/"requestId":"[^"]*"/g, ""),
      )
    }
    expect(await listed(other)).toEqual([])
    const key = await keyOf(other, ["read", "write"])
    expect((await key.get(`/imports/${id}`)).status).toBe(404)
    expect(await listed(key)).toEqual([])
  })

  test("is seen by its owner and by admins", async () => {
    const { id } = await importer(owner).run("kind=items&dryRun=true", file)
    for (const by of [owner, admin]) {
      const { get, faults, cancel } = await asked(by, id)
      expect(get.body.data).toMatchObject({
        id,
        faultCount: 1,
        firstRows: [["OWN-1", "Secret", "expensive"]],
      })
      expect(faults.text).toContain("expensive")
      expect(refusalOf(cancel)).toMatchObject({ status: 422 })
      expect(await listed(by)).toContain(id)
    }
  })

  test("is seen by an API key that may write and not read, if its user is the owner", async () => {
    const key = await keyOf(owner, ["write"])
    const { id } = await importer(key).run("kind=items&dryRun=true", file)
    expect((await key.get(`/imports/${id}/faults`)).text).toContain("expensive")
    expect(await listed(key)).toContain(id)
    expect((await owner.get(`/imports/${id}`)).status).toBe(200)
    expect((await other.get(`/imports/${id}`)).status).toBe(404)
  })

  test("of another user is not seen with a key of an admin that may only write", async () => {
    const { id } = await importer(owner).run("kind=items&dryRun=true", file)
    const key = await keyOf(admin, ["read", "write"])
    expect((await key.get(`/imports/${id}`)).status).toBe(404)
    expect(await listed(key)).not.toContain(id)
    expect((await (await keyOf(admin, ["write", "admin"])).get(`/imports/${id}`)).status).toBe(200)
  })

  test("is the record of its event only for its owner and for admins", async () => {
    const after = (await admin.get("/events?after=latest")).body.meta.next
    const { id } = await importer(owner).run("kind=items", "itemCode,itemName\nOWN-2,x\n")
    const recordFor = async (by: Api) =>
      (await by.get(`/events?after=${after}&types=imports.*&include=record`)).body.data[0]
    for (const by of [owner, admin])
      expect(await recordFor(by)).toMatchObject({ recordId: id, record: { id, status: "finished" } })
    expect(await recordFor(other)).toMatchObject({ recordId: id, record: null })
  })
})

describe("a price change", () => {
  test("does not exist for another user, and is seen by its owner and by admins", async () => {
    const started = await owner.post("/items/reprice", {
      filter: { category: "None" },
      change: { percent: 1 },
    })
    const { id } = started.body.data
    for (const answer of [await other.get(`/jobs/${id}`), await other.post(`/jobs/${id}/cancel`)])
      expect(refusalOf(answer)).toMatchObject({ status: 404, code: "NOT_FOUND" })
    const none = await other.get("/jobs/job_00000000000000000000000000")
    const hidden = await other.get(`/jobs/${id}`)
    expect(hidden.body.error.params).toEqual({ ...none.body.error.params, id })
    for (const by of [owner, admin]) expect((await by.get(`/jobs/${id}`)).status).toBe(200)
  })
})
