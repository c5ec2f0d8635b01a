import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"

let api: Api
const count = 1_240

beforeAll(async () => {
  api = await signIn(await serve())
  for (let made = 0; made < count; made += 62)
    await api.post("/items/batch", {
      mode: "all",
      operations: Array.from({ length: 62 }, (_, i) => ({ op: "create", body: draftOf(made + i) })),
    })
})
afterAll(cleanUp)

const draftOf = (i: number) => ({
  itemCode: `F-${i}`,
  // Many have the same name, but each has a different position in the list.
  itemName: `Item ${i % 7}`,
  category: i % 40 === 0 ? "rare" : "common",
  ...(i % 3 === 0 ? { description: `Note ${i}` } : {}),
})

/** The ids of a whole list, page by page. */
async function walk(
  query: string,
  next: (meta: { nextCursor: string | null }, page: number) => string | null,
) {
  const pages: string[][] = []
  for (let more: string | null = "page=1"; more !== null;) {
    const { data, meta } = (await api.get(`/items?perPage=100&${query}&${more}`)).body
    pages.push(data.map(({ id }: { id: string }) => id))
    more = next(meta, pages.length)
  }
  return pages
}

describe("far pages", () => {
  for (const query of [
    "sort=createdAt",
    "sort=itemName&order=asc",
    "sort=itemName&order=desc",
    "sort=description&order=asc",
    "sort=sellingPrice",
    "category=common",
    "category=common&sort=itemName",
  ])
    test(`by number and by cursor return the same list: ${query}`, async () => {
      const byCursor = await walk(
        query,
        ({ nextCursor }) => nextCursor && `cursor=${encodeURIComponent(nextCursor)}`,
      )
      const byNumber = await walk(query, (_, page) => (page < 13 ? `page=${page + 1}` : null))
      expect(byNumber).toEqual(byCursor)
      expect(new Set(byCursor.flat()).size).toBe(query.includes("common") ? count - count / 40 : count)
    })

  test("a far page returns the total and the next cursor", async () => {
    const { data, meta } = (await api.get("/items?page=12&perPage=100")).body
    expect(data).toHaveLength(100)
    expect(meta).toMatchObject({
      page: 12,
      total: count,
      totalPages: 13,
      hasMore: true,
      nextCursor: expect.any(String),
    })
  })
})
