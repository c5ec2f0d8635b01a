import { List, Text } from "@mantine/core"
import type { Kinds } from "../../../console/api/types"
import { number } from "../../../console/format"
import { type BulkAction, type ChangeAction, type Failure, runBulk } from "../../../console/lists/bulk-run"
import { lacksAddress } from "./preview"
import type { PrintedKind } from "../papers/paper-files"
import { t } from "./texts"

/** The number of documents that are checked before many are sent. */
const mostChecked = 100

type Options<T> = {
  nameOf: (row: T) => string
  /** Why a document is not sent; null if it is. */
  refusal: (row: T) => string | null
}

/** Why a document has nothing to send; null if it has. */
export const refusalOf = (isDraft: boolean, isOpening = false): string | null => {
  if (isDraft) return t(($) => $.isDraft)
  return isOpening ? t(($) => $.isOpening) : null
}

/** Sends the selected documents, each to its customer. Before that it tells which ones cannot be sent, and why. */
export function sendBulk<K extends PrintedKind>(
  kind: K,
  { nameOf, refusal }: Options<Kinds[K]>,
): BulkAction<Kinds[K]> {
  const action: ChangeAction<Kinds[K]> = {
    label: t(($) => $.send),
    done: "sent",
    refusal,
    explain: ({ customerName }, error) =>
      lacksAddress(error) ? t(($) => $.noAddress, { customer: customerName }) : null,
    operation: ({ id }) => ({ op: "send", id }),
  }
  return {
    ...action,
    about: {
      most: mostChecked,
      async tell(rows, count) {
        const { signal } = new AbortController()
        const tried = await runBulk({ kind, rows, action, signal, onProgress: () => {}, isDry: true })
        const refused = new Set(tried.failures.map(({ row }) => row))
        const before = rows.filter((row) => row.lastSentAt !== null && !refused.has(row)).length
        return <Told {...{ failures: tried.failures, nameOf, before, isPart: count > rows.length }} />
      },
    },
  }
}

type ToldProps<T> = { failures: Failure<T>[]; nameOf: (row: T) => string; before: number; isPart: boolean }

const Told = <T extends { id: string }>({ failures, nameOf, before, isPart }: ToldProps<T>) => (
  <>
    {before > 0 && (
      <Text size="sm" mt="sm">
        {t(($) => $.sentBefore, { count: before, shown: number(before) })}
      </Text>
    )}
    {failures.length > 0 && (
      <Text size="sm" fw={600} mt="sm">
        {t(($) => $.cannot)}
      </Text>
    )}
    <List size="sm" spacing={6} my="xs">
      {failures.map(({ row, message }) => (
        <List.Item key={row.id}>
          <b>{nameOf(row)}</b>: {message}
        </List.Item>
      ))}
    </List>
    {isPart && <Text size="sm">{t(($) => $.onlyFirst, { shown: number(mostChecked) })}</Text>}
  </>
)
