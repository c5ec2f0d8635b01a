import { Button, Group, Paper, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { messageOf } from "../api/client"
import { plural } from "../format"
import { confirm } from "../parts/confirm"
import { tellDone } from "../parts/tell"
import type { Column } from "./columns"

/** An action on many records, one after the other. */
export type BulkAction<T> = {
  label: string
  /** The past participle for the message: "deactivated". */
  done: string
  run: (row: T) => Promise<unknown>
  isDangerous?: boolean
}

type Props<T> = {
  rows: T[]
  columns: Column<T>[]
  noun: string
  actions: BulkAction<T>[]
  nameOf: (row: T) => string
  onDone: () => void
}

export function BulkBar<T extends { id: string }>(props: Props<T>) {
  const { rows, columns, noun, actions, onDone } = props
  const { running, perform } = useBulk(props)
  return (
    <Paper withBorder p="xs" mb="sm" role="region" aria-label="Selected records">
      <Group gap="sm">
        <Text size="sm" fw={600}>
          {rows.length} selected
        </Text>
        {actions.map((action) => (
          <Button
            key={action.label}
            size="xs"
            variant={action.isDangerous ? "light" : "default"}
            color={action.isDangerous ? "red" : undefined}
            loading={running === action.label}
            disabled={running !== null}
            onClick={() => perform(action)}
          >
            {action.label}
          </Button>
        ))}
        <Button size="xs" variant="default" onClick={() => saveAsCsv(rows, columns, noun)}>
          Export CSV
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          Clear selection
        </Button>
      </Group>
    </Paper>
  )
}

/** Runs an action on all rows. At the end, reports how many failed and why. */
function useBulk<T>({ rows, noun, nameOf, onDone }: Pick<Props<T>, "rows" | "noun" | "nameOf" | "onDone">) {
  const client = useQueryClient()
  const [running, setRunning] = useState<string | null>(null)
  const perform = async ({ label, done, run, isDangerous }: BulkAction<T>) => {
    const text = `${rows.length} ${rows.length === 1 ? noun : plural(noun)} selected.`
    if (isDangerous && !(await confirm({ title: `${label}?`, text, action: label }))) return
    setRunning(label)
    const failed: string[] = []
    for (const row of rows)
      await run(row).catch((error: unknown) => failed.push(`${nameOf(row)}: ${messageOf(error)}`))
    await client.invalidateQueries()
    setRunning(null)
    onDone()
    if (rows.length > failed.length) tellDone(`${rows.length - failed.length} ${done}.`)
    if (failed.length > 0)
      notifications.show({
        title: `${failed.length} could not be ${done}`,
        message: failed.slice(0, 5).join("\n"),
        color: "red",
        autoClose: false,
      })
  }
  return { running, perform }
}

function saveAsCsv<T extends { id: string }>(rows: T[], columns: Column<T>[], noun: string): void {
  // Prevents a spreadsheet from running a cell that begins like a formula.
  const cell = (value: unknown) => {
    const text = String(value ?? "")
    const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    return `"${safe.replaceAll('"', '""')}"`
  }
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ key, plain }) => (plain ? plain(row) : row[key]))),
  ]
  const blob = new Blob([`\uFEFF${lines.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`], {
    type: "text/csv",
  })
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = `${plural(noun).replaceAll(" ", "-")}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
