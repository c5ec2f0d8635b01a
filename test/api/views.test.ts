import { afterAll, beforeAll, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"

let [admin, sales, manager]: Api[] = []
beforeAll(async () => {
  const kontor = await serve()
  admin = await signIn(kontor)
  const password = "correct horse battery"
  const join = async (role: string) => {
    const email = `${role}.views@example.com`
    await (admin as Api).create("/users", { name: role, email, role, password })
    return signIn(kontor, email, password)
  }
  sales = await join("sales")
  manager = await join("manager")
})
afterAll(cleanUp)

const view = { name: "Mine", list: "items", query: "category=Furniture&sort=itemName", columns: ["itemCode"] }
const namesOf = async (api: Api | undefined) =>
  (await api?.get("/views?list=items"))?.body.data.map(({ name }: { name: string }) => name)

test("A view is seen by its owner alone until a manager shares it, and only managers and admins change shared ones.", async () => {
  const own = await sales?.create("/views", view)
  expect(own).toMatchObject({ ...view, isShared: false })
  expect([await namesOf(sales), await namesOf(admin)]).toEqual([["Mine"], []])
  expect((await admin?.get(`/views/${own.id}`))?.status).toBe(404)
  expect(refusalOf(await (sales as Api).put(`/views/${own.id}`, { isShared: true })).code).toBe("FORBIDDEN")
  expect(refusalOf(await (sales as Api).post("/views", { ...view, isShared: true })).code).toBe("FORBIDDEN")
  const shared = await manager?.create("/views", { ...view, name: "Ours", isShared: true })
  expect((await namesOf(sales)).toSorted()).toEqual(["Mine", "Ours"])
  for (const answer of [
    await sales?.put(`/views/${shared.id}`, { name: "Taken" }),
    await sales?.put(`/views/${shared.id}`, { isShared: false }),
    await sales?.delete(`/views/${shared.id}`),
  ])
    expect(answer && refusalOf(answer).code).toBe("FORBIDDEN")
  expect((await admin?.put(`/views/${shared.id}`, { name: "Everybody's" }))?.body.data.name).toBe(
    "Everybody's",
  )
  expect((await manager?.put(`/views/${shared.id}`, { isShared: false }))?.status).toBe(200)
  expect(await namesOf(sales)).toEqual(["Mine"])
  expect((await sales?.delete(`/views/${own.id}`))?.status).toBe(204)
})

test("A user can have 100 views; a list has no spaces, and a query no more than 2,000 characters.", async () => {
  for (let i = 0; i < 100; i++) await sales?.create("/views", { ...view, name: `View ${i}` })
  expect(refusalOf(await (sales as Api).post("/views", view))).toMatchObject({
    status: 422,
    fields: ["owner"],
  })
  const wrong = { ...view, list: "../items", query: "x".repeat(2_001) }
  expect(refusalOf(await (admin as Api).post("/views", wrong)).fields?.toSorted()).toEqual(["list", "query"])
})
