// OWASP API4:2023, unrestricted resource consumption: everything that a request can ask for is limited.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { send, signIn, type Api } from "../support/api"
import { testAttacks } from "../support/attacks"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { sendRaw } from "../support/raw"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let shop: Trade
let item: string
let customer: string
const json = { "content-type": "application/json" }

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  shop = trade(admin)
  item = (await shop.item()).id
  customer = (await shop.customer()).id
})
afterAll(cleanUp)

const make = (text: string) => admin.post("/items", text, json)
const withField = (name: string, value: unknown) =>
  admin.post("/items", { itemCode: `R-${name}`, itemName: "R", [name]: value })
const ordered = (lines: object[]) => admin.post("/sales-orders", { customer, items: lines })

describe("a body", () => {
  testAttacks([
    ["over 1 MiB", () => make(`{"itemName":"${"x".repeat(2 ** 20)}"}`), 413, "PAYLOAD_TOO_LARGE"],
    ["100,000 levels deep", () => make("[".repeat(100_000) + "]".repeat(100_000)), 400, "INVALID_JSON"],
    ["33 objects deep", () => make('{"a":'.repeat(33) + "1" + "}".repeat(33)), 400, "INVALID_JSON"],
    [
      "of 60,000 fields",
      () => make(JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`f${i}`, 1])))),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "of 100,000 numbers in one list",
      () => withField("images", Array(100_000).fill(1)),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a number that is too large for JSON.parse",
      () => make('{"itemCode":"R-1","itemName":"R","sellingPrice":1e999}'),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a number of 100,000 digits",
      () => make(`{"itemCode":"R-1","itemName":"R","sellingPrice":${"9".repeat(100_000)}}`),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a number of 100,000 decimals",
      () => make(`{"itemCode":"R-1","itemName":"R","sellingPrice":0.${"1".repeat(100_000)}}`),
      422,
      "VALIDATION_ERROR",
    ],
    ["with a negative price", () => withField("costPrice", -0.0001), 422, "VALIDATION_ERROR"],
    [
      "with 21 images",
      () => withField("images", Array(21).fill("https://a.example/")),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a description of 10,001 characters",
      () => withField("description", "x".repeat(10_001)),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a name of 201 characters of several bytes",
      () => withField("itemName", "🔩".repeat(201)),
      422,
      "VALIDATION_ERROR",
    ],
    ["with 501 lines", () => ordered(Array(501).fill({ item, quantity: 1 })), 422, "VALIDATION_ERROR"],
    [
      "with lines whose total is too large",
      () => ordered(Array(500).fill({ item, quantity: 999_999_999, rate: 999_999_999 })),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a key for 51 addresses",
      () => admin.post("/api-keys", { name: "K", scopes: ["read"], allowedIps: Array(51).fill("10.0.0.1") }),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a password of 257 characters",
      () =>
        admin.post("/users", { email: "p@a.example", name: "P", role: "viewer", password: "x".repeat(257) }),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with Content-Encoding",
      () => admin.post("/items", "\x1f\x8b", { ...json, "content-encoding": "gzip" }),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "with an Idempotency-Key of 256 characters",
      () => admin.post("/items", { itemCode: "R-2", itemName: "R" }, { "idempotency-key": "x".repeat(256) }),
      400,
      "INVALID_IDEMPOTENCY_KEY",
    ],
  ])
})

describe("a list", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => i).join(",")
  testAttacks([
    [
      "with a page number that is too large",
      () => admin.get("/items?page=10000000000"),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a page number of 400 digits",
      () => admin.get(`/items?page=${"9".repeat(400)}`),
      422,
      "VALIDATION_ERROR",
    ],
    ["with a negative perPage", () => admin.get("/items?perPage=-1"), 422, "VALIDATION_ERROR"],
    [
      "with a filter of 101 values",
      () => admin.get(`/items?sellingPrice[in]=${many(101)}`),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a search of 201 characters",
      () => admin.get(`/items?search=${"a".repeat(201)}`),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a pattern of more than 200 characters",
      () => admin.get(`/items?itemName[like]=${"%25a".repeat(101)}`),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a value of 1,001 characters",
      () => admin.get(`/items?itemName=${"a".repeat(1_001)}`),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "with a pattern that needs much backtracking",
      () => admin.get(`/items?itemName[like]=${"%25a".repeat(60)}%25b`),
      200,
      null,
    ],
    ["with a search of 60 words", () => admin.get(`/search?q=${"a%20".repeat(60)}`), 200, null],
    ["with 21 filters", () => admin.get(`/items?${filters(21)}`), 400, "INVALID_QUERY"],
    ["with a search for only wildcards", () => admin.get("/items?search=***"), 200, null],
  ])
  const filters = (count: number) => {
    const names = ["itemName", "itemCode", "category"]
    const operators = ["eq", "ne", "gt", "gte", "lt", "lte", "like", "in"]
    return names
      .flatMap((name) => operators.map((operator) => `${name}[${operator}]=a`))
      .slice(0, count)
      .join("&")
  }

  test("with perPage of one million returns 100 records per page", async () => {
    expect((await admin.get("/items?perPage=1000000")).body.meta.perPage).toBe(100)
    expect((await admin.get("/search?q=a&limit=1000000")).status).toBe(200)
  })
})

describe("the connection", () => {
  const head = "GET /api/v1/items HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
  test.each([
    ["a header of 1 MB", `${head}X-Long: ${"x".repeat(1_000_000)}\r\n\r\n`],
    ["10,000 headers", `${head}${"X-Many: x\r\n".repeat(10_000)}\r\n`],
    [
      "a path of 1 MB",
      `GET /api/v1/items?search=${"x".repeat(1_000_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    ],
  ])("%s is refused with 4xx, and the next request works", async (_, bytes) => {
    // A client that is still writing when the connection is closed gets an error instead of a response.
    const answer = await sendRaw(kontor.url, bytes).catch(() => "HTTP/1.1 431")
    expect(answer === "" || /^HTTP\/1\.1 4(00|01|14|31)/.test(answer)).toBeTrue()
    expect((await admin.get("/items")).status).toBe(200)
  })
})

describe("too many requests", () => {
  let limited: Kontor
  beforeAll(async () => {
    limited = await serve({
      env: {
        KONTOR_PLANS: "anonymous=3:unlimited,free=5:unlimited",
        KONTOR_ADMIN_EMAIL: adminEmail,
        KONTOR_ADMIN_PASSWORD: adminPassword,
      },
    })
  })
  const unauthenticated = (headers: Record<string, string> = {}, path = "/api/v1/items") =>
    send(`${limited.url}${path}`, { headers })

  test("without a credential get 429 after the third, with any forged address, user agent or path", async () => {
    const owner = await signIn(limited)
    for (let i = 0; i < 5; i++) await unauthenticated()
    for (const answer of [
      await unauthenticated(),
      await unauthenticated({ "x-forwarded-for": "198.51.100.7" }),
      await unauthenticated({
        forwarded: "for=198.51.100.8",
        "x-real-ip": "198.51.100.8",
        "cf-connecting-ip": "198.51.100.8",
        "true-client-ip": "198.51.100.8",
      }),
      await unauthenticated({ "x-api-key": "kon_guess" }),
      await unauthenticated({ authorization: "Bearer guess" }),
      await unauthenticated({ "user-agent": "another" }),
      await unauthenticated({}, "/api/v1/nothing"),
      await unauthenticated({}, "/api/v2/items"),
      await unauthenticated({}, "/oauth/token"),
    ]) {
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
      expect(answer.headers.get("x-ratelimit-remaining")).toBe("0")
    }
    expect((await owner.get("/items")).status).toBe(200)
  })

  test("of an API key on a small plan get 429", async () => {
    const open = await serve()
    const owner = await signIn(open)
    const made = await owner.create("/api-keys", { name: "F", scopes: ["read"], plan: "free" })
    const answers = []
    for (let i = 0; i < 61; i++)
      answers.push(await send(`${open.url}/api/v1/items`, { headers: { "x-api-key": made.key } }))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect(answers.at(-1)?.body.error.code).toBe("RATE_LIMIT_EXCEEDED")
  })

  test("with wrong passwords get 429 after the fifth, and so does the right password", async () => {
    const guess = (password: string) =>
      send(`${kontor.url}/api/v1/auth/login`, { body: { email: "guessed@attack.example", password } })
    await admin.create("/users", {
      email: "guessed@attack.example",
      name: "G",
      role: "viewer",
      password: adminPassword,
    })
    for (let i = 0; i < 5; i++) expect((await guess(`wrong password ${i}`)).status).toBe(401)
    const answer = await guess(adminPassword)
    expect([answer.status, answer.body.error.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"])
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  })
})
