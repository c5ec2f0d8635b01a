import { placeOf } from "../../core/engine/place"
import { versionOf } from "../../core/engine/schema/migrate"
import { print } from "../../core/lib/process/output"
import { Unusable } from "../../core/lib/refusal"
import type { Command } from "../command"
import { periods, spaceOf, type Part, type Space } from "./space"

export const statsCommand: Command = {
  name: "stats",
  summary: "Print what takes the space of the database, and how much is added per day",
  usage: "[--json]",
  examples: ["kontor stats", "kontor stats --db /srv/kontor.db --json"],
  takes: ["db"],
  switches: { json: "Print the result as JSON, in bytes" },
  run({ config, switches }) {
    const place = placeOf(config.db)
    place.assertExists()
    const db = place.openReader()
    try {
      if (versionOf(db) === 0)
        throw new Unusable(place.emptySentence ?? `The database ${place.shown} has no tables.`)
      const space = db.engine.atOneMoment(() => spaceOf(db))
      print(switches.json ? JSON.stringify({ database: place.shown, ...space }) : textOf(place.shown, space))
    } finally {
      db.close()
    }
  },
}

function textOf(name: string, { bytes, unused, walBytes, groups }: Space): string {
  const more = [
    ...(unused === null ? [] : [`${shown(unused)} of it is free for new rows`]),
    ...(walBytes === null ? [] : [`the write-ahead log has another ${shown(walBytes)}`]),
  ]
  const titles = ["SIZE", "SHARE", "ROWS", ...periods.map((days) => `PER DAY, LAST ${days}`)]
  const rows = groups.flatMap((group) => [
    rowOf(group.name, group, bytes),
    ...group.of.filter((part) => part.rows !== 0).map((part) => rowOf(`  ${part.name}`, part, bytes)),
  ])
  const total = rowOf("All", allOf(groups, bytes), bytes)
  return [
    `${[`${name} has ${shown(bytes)}`, ...more].join("; ")}.`,
    "",
    aligned([["", ...titles], ...rows, total]),
  ].join("\n")
}

const allOf = (groups: readonly Part[], bytes: number): Part => ({
  name: "All",
  bytes,
  rows: null,
  bytesPerDay: periods.map((_, at) =>
    groups.reduce((all, { bytesPerDay }) => all + (bytesPerDay[at] ?? 0), 0),
  ),
})

const rowOf = (name: string, { bytes, rows, bytesPerDay }: Part, all: number): string[] => [
  name,
  shown(bytes),
  `${Math.round((bytes / Math.max(all, 1)) * 100)} %`,
  rows === null ? "" : String(rows),
  ...bytesPerDay.map((each) => (each === null ? "" : shown(each))),
]

/** The first column is text, the others are numbers. */
function aligned(rows: readonly string[][]): string {
  const width = (column: number) => Math.max(...rows.map((row) => (row[column] ?? "").length))
  const widths = (rows[0] ?? []).map((_, column) => width(column))
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

const units = ["B", "kB", "MB", "GB", "TB"]

function shown(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 999.95 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1]
  return `${unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
