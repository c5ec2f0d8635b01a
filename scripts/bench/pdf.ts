// The cost of PDFs: the CPU of one page and of 1,000 lines, warm, and the memory of the process above idle. They are
// drawn in a process of their own, because the memory of a process does not shrink again.
import { readFileSync } from "node:fs"
import { paperLines, samplePaper } from "../../test/support/paper"
import type { PdfJob } from "../../src/trade/paper/pdf/render"
import { show, type Line } from "./bars"
import { median } from "./server"

/** CPU in ms, memory in MB. */
type PdfCost = { page: number; thousandLines: number; memory: number }

export async function measurePdf(): Promise<Line[]> {
  const { page, thousandLines, memory } = await costOfPdf()
  return [
    show({ work: "CPU of a PDF of one page, warm", value: page, unit: " ms", atMost: 150 }),
    show({ work: "CPU of a PDF of 1,000 lines", value: thousandLines, unit: " ms", atMost: 1_000 }),
    show({ work: "memory of PDFs of 1,000 lines above idle", value: memory, unit: " MB", atMost: 300 }),
  ]
}

/** Measures the cost of PDFs in a new process. */
async function costOfPdf(): Promise<PdfCost> {
  const child = Bun.spawn([process.execPath, import.meta.path], { stdout: "pipe", stderr: "inherit" })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error("The measurement of PDFs failed.")
  return JSON.parse(output) as PdfCost
}

const logoless = (lines: number): PdfJob => ({
  paper: samplePaper({ lines: paperLines(lines) }),
  logo: null,
  xml: "<CrossIndustryInvoice/>",
})

/** The median CPU of some rounds of work, in ms, after some that are not counted. */
async function cpuOf(work: () => Promise<unknown>, warmUp: number, rounds: number): Promise<number> {
  for (let round = 0; round < warmUp; round++) await work()
  const spent: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    spent.push((user + system) / 1000)
  }
  return Math.round(median(spent) * 10) / 10
}

async function run(): Promise<PdfCost> {
  const idle = process.memoryUsage.rss()
  const { renderPdf } = await import("../../src/trade/paper/pdf/render")
  const page = await cpuOf(() => renderPdf(logoless(5)), 10, 15)
  const thousandLines = await cpuOf(() => renderPdf(logoless(1000)), 1, 5)
  // The most that the process had, in KiB. That of resourceUsage includes the process that started this one.
  const most = Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) * 1024
  return { page, thousandLines, memory: Math.round((most - idle) / 1024 / 1024) }
}

if (import.meta.main) console.log(JSON.stringify(await run()))
