import { bounds, type Counted } from "./histogram"

export type Labels = Readonly<Record<string, string>>

/** A metric with the values that it has now. The name of a counter is without `_total`. Durations are in seconds. */
export type Family = { name: string; help: string } & (
  | { type: "counter" | "gauge"; values: readonly { labels?: Labels; value: number }[] }
  | { type: "histogram"; values: readonly { labels?: Labels; value: Counted }[] }
)

/** The two formats that scrapers read: the text format of Prometheus, and OpenMetrics, which was made from it. */
export const formats = {
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
  openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
} as const

export type Format = keyof typeof formats

/** The format that a scraper asks for. A scraper that asks for OpenMetrics also reads the other one. */
export const formatFor = (accept: string | null): Format =>
  accept?.includes("application/openmetrics-text") ? "openMetrics" : "prometheus"

/** All metrics as a text. A metric without values is left out. */
export function textOf(families: readonly Family[], format: Format): string {
  const lines = families
    .filter(({ values }) => values.length > 0)
    .flatMap((family) => linesOf(family, format))
  if (format === "openMetrics") lines.push("# EOF")
  return `${lines.join("\n")}\n`
}

function linesOf(family: Family, format: Format): string[] {
  const { name, help, type } = family
  // OpenMetrics names the metric, and Prometheus its samples.
  const shown = type === "counter" && format === "prometheus" ? `${name}_total` : name
  const head = [`# HELP ${shown} ${help}`, `# TYPE ${shown} ${type}`]
  if (family.type === "histogram")
    return [...head, ...family.values.flatMap(({ labels, value }) => bucketsOf(name, labels, value))]
  const sample = type === "counter" ? `${name}_total` : name
  return [...head, ...family.values.map(({ labels, value }) => `${sample}${inBraces(labels)} ${value}`)]
}

/** The bounds as they are shown, in seconds. */
const shownBounds = [...bounds.map((bound) => String(bound / 1_000)), "+Inf"]

/** The labels are put together once for all buckets, because there are many. */
function bucketsOf(name: string, labels: Labels = {}, { within, count, sum }: Counted): string[] {
  const inside = listed(labels)
  const start = `${name}_bucket{${inside === "" ? "" : `${inside},`}le="`
  const braces = inBraces(labels)
  const buckets = shownBounds.map((bound, at) => `${start}${bound}"} ${within[at] ?? count}`)
  return [...buckets, `${name}_sum${braces} ${sum / 1_000}`, `${name}_count${braces} ${count}`]
}

const inBraces = (labels: Labels = {}): string => {
  const inside = listed(labels)
  return inside === "" ? "" : `{${inside}}`
}

function listed(labels: Labels): string {
  let text = ""
  for (const name in labels) text += `${text === "" ? "" : ","}${name}="${escaped(labels[name] ?? "")}"`
  return text
}

const escaped = (value: string): string =>
  !/[\\"\n]/.test(value)
    ? value
    : value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

export const gauge = (name: string, help: string, value: number, labels?: Labels): Family => ({
  name,
  help,
  type: "gauge",
  values: [{ value, ...(labels && { labels }) }],
})

export const counter = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: "counter",
  values: [{ value }],
})
