// A strict reader of the text format of Prometheus (0.0.4) and of OpenMetrics 1.0.0. It refuses more than scrapers do.

export type Sample = { name: string; labels: Record<string, string>; value: number }
export type Metric = { name: string; type: string; samples: Sample[] }

const nameForm = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const number = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/

/** Parses a text, and throws an error that names the line that is wrong. */
export function readExposition(text: string, format: "prometheus" | "openMetrics"): Metric[] {
  if (!text.endsWith("\n")) throw new Error("The last line does not end.")
  const lines = text.slice(0, -1).split("\n")
  if (format === "openMetrics" && lines.pop() !== "# EOF")
    throw new Error("The text does not end with # EOF.")
  const metrics: Metric[] = []
  const seen = new Set<string>()
  for (const line of lines) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    const wrong = (reason: string) => new Error(`${reason}: ${line}`)
    if (keyword && !nameForm.test(name)) throw wrong("This is not a name")
    const last = metrics.at(-1)
    if (keyword === "HELP") {
      if (metrics.some((metric) => metric.name === name)) throw wrong("The metric is there twice")
      metrics.push({ name, type: "", samples: [] })
    } else if (keyword === "TYPE") {
      if (last?.name !== name || last.type !== "") throw wrong("The type does not follow its help")
      if (!["counter", "gauge", "histogram"].includes(rest)) throw wrong("There is no such type")
      last.type = rest
    } else if (line.startsWith("#") || line === "") throw wrong("This line is not expected")
    else {
      const sample = readSample(line)
      if (!last?.type || !namesOf(last, format).includes(sample.name)) throw wrong("It belongs to no metric")
      const series = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()])
      if (seen.has(series)) throw wrong("The series is there twice")
      seen.add(series)
      last.samples.push(sample)
    }
  }
  for (const metric of metrics) assertWhole(metric, format)
  return metrics
}

function namesOf({ name, type }: Metric, format: string): string[] {
  if (type === "histogram") return ["_bucket", "_sum", "_count"].map((end) => name + end)
  return [type === "counter" && format === "openMetrics" ? `${name}_total` : name]
}

function readSample(line: string): Sample {
  const [, name = "", , inBraces = "", value = ""] = /^([^\s{]+)(\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (!nameForm.test(name) || !number.test(value)) throw new Error(`This is not a sample: ${line}`)
  const labels: Record<string, string> = {}
  let rest = inBraces
  while (rest !== "") {
    const [whole = "", label = "", text = ""] =
      /^([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\n"])*)"(?:,(?=.)|$)/.exec(rest) ?? []
    if (whole === "" || label in labels) throw new Error(`These are no labels: ${line}`)
    labels[label] = text
    rest = rest.slice(whole.length)
  }
  return { name, labels, value: Number(value) }
}

function assertWhole(metric: Metric, format: string): void {
  const { name, type, samples } = metric
  if (samples.length === 0) throw new Error(`${name} has no samples.`)
  if (type === "counter" && format === "prometheus" && !name.endsWith("_total"))
    throw new Error(`The counter ${name} does not end with _total.`)
  if (type === "counter" && samples.some(({ value }) => value < 0)) throw new Error(`${name} is negative.`)
  if (type === "histogram") assertHistograms(metric)
}

/** The buckets of a series are in order, each includes the one before, and the last one has all. */
function assertHistograms({ name, samples }: Metric): void {
  const seriesOf = ({ labels }: Sample) => {
    const { le: _, ...rest } = labels
    return JSON.stringify(rest)
  }
  for (const [series, parts] of Map.groupBy(samples, seriesOf)) {
    const buckets = parts.filter((part) => part.name.endsWith("_bucket"))
    const bounds = buckets.map(({ labels }) => (labels.le === "+Inf" ? Infinity : Number(labels.le)))
    const values = buckets.map(({ value }) => value)
    const isRising = (numbers: number[]) => numbers.every((each, i) => i === 0 || each >= numbers[i - 1]!)
    const count = parts.find((part) => part.name.endsWith("_count"))?.value
    const hasSum = parts.some((part) => part.name.endsWith("_sum"))
    if (
      bounds.at(-1) !== Infinity ||
      !isRising(bounds) ||
      !isRising(values) ||
      values.at(-1) !== count ||
      !hasSum
    )
      throw new Error(`The histogram ${name} of ${series} is not whole.`)
  }
}

/** The sum of the samples that have these labels. */
export const valueOf = (
  metrics: readonly Metric[],
  name: string,
  labels: Record<string, string> = {},
): number =>
  metrics
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)
