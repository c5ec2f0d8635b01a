import { afterAll, expect, test } from "bun:test"
import { join } from "node:path"
import { send, signIn } from "./support/api"
import { isPostgres } from "./support/engine"
import { readExposition } from "./support/exposition"
import { cleanUp, emptyFolder, serve } from "./support/kontor"
import { selfSigned } from "./support/certificate"
import { until } from "./support/until"

afterAll(cleanUp)

type Panel = {
  id: number
  title: string
  targets?: { expr: string }[]
  gridPos: Record<"x" | "y" | "w" | "h", number>
}

const guide = `${import.meta.dir}/../docs/operating.md`
const file = `${import.meta.dir}/../packaging/grafana/kontor.json`

test.skipIf(isPostgres)("the Grafana dashboard and the guide have every metric, and no other", async () => {
  // With all that adds metrics: a certificate, and backups to two places, one of which does not exist.
  const { cert, key } = selfSigned(emptyFolder(), "shop")
  const kontor = await serve({
    args: ["--tls-cert", cert, "--tls-key", key, "--backup-dir", join(emptyFolder(), "backups")].concat([
      "--backup-to",
      "s3://shop/backups",
      "--s3-endpoint",
      "http://127.0.0.1:1",
    ]),
    env: {
      KONTOR_ADMIN_EMAIL: "admin@example.com",
      KONTOR_ADMIN_PASSWORD: "correct horse battery",
      KONTOR_S3_ACCESS_KEY_ID: "key",
      KONTOR_S3_SECRET_ACCESS_KEY: "secret",
    },
  })
  await (await signIn(kontor)).get("/items")
  const scrape = async () => readExposition((await send(`${kontor.url}/metrics`)).text, "prometheus")
  const backups = async (name: string, place: string) =>
    (await scrape())
      .find((metric) => metric.name === name)
      ?.samples.find(({ labels }) => labels.place === place)?.value
  await until(() => backups("kontor_backup_last_success_timestamp_seconds", "folder"))
  await until(() => backups("kontor_backup_last_failed", "storage"))
  expect(await backups("kontor_backup_last_failed", "folder")).toBe(0)

  const metrics = await scrape()
  const { panels }: { panels: Panel[] } = await Bun.file(file).json()
  const names = metrics.map(({ name }) => name)
  const samples = metrics.flatMap((metric) => metric.samples.map(({ name }) => name))
  const namesIn = (text: string) => text.match(/\b(?:kontor|process)_[a-z_]+\b/g) ?? []
  const missing = (shown: string[]) => {
    const seen = new Set(shown.map((name) => name.replace(/_(?:bucket|count|sum)$/, "")))
    return names.filter((name) => !seen.has(name))
  }
  const onDashboard = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr)))
  expect(onDashboard.filter((name) => !samples.includes(name))).toEqual([])
  expect(missing(onDashboard)).toEqual([])
  const inGuide = namesIn(await Bun.file(guide).text())
  expect(inGuide.filter((name) => !samples.includes(name) && !names.includes(name))).toEqual([])
  expect(missing(inGuide)).toEqual([])
})

test("the panels of the Grafana dashboard have their own places", async () => {
  const { panels }: { panels: Panel[] } = await Bun.file(file).json()
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
    expect([title, x + w <= 24]).toEqual([title, true])
    return Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`)
  })
  expect(new Set(cells).size).toBe(cells.length)
})
