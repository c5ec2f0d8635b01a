import { Table, Text } from "@mantine/core"
import { t } from "../../../console/texts"
import type { Import } from "./kinds"

type Props = { of: Import; fields: readonly (string | null)[] }

/** The first rows as the file has them, so that a person recognizes it. The box scrolls by itself. */
export function FirstRows({ of: { columns, firstRows }, fields }: Props) {
  if (firstRows.length === 0) return null
  const title = t(($) => $.imports.firstRows)
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <div className="file-rows" tabIndex={0} role="region" aria-label={title}>
        <Table verticalSpacing={4} aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ column }, i) => (
                <Table.Th key={i} className={fields[i] == null ? "is-left-out" : undefined}>
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {firstRows.map((cells, row) => (
              <Table.Tr key={row}>
                {cells.map((cell, i) => (
                  <Table.Td key={i} className={fields[i] == null ? "is-left-out" : undefined}>
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  )
}
