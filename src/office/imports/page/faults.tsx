import { Button, Group, Table, Text } from "@mantine/core"
import { IconDownload } from "../../../console/parts/icons"
import { useState } from "react"
import { number } from "../../../console/format"
import { BusyButton } from "../../../console/parts/busy-button"
import { tellError } from "../../../console/parts/tell"
import { t } from "../../../console/texts"
import { faultInWords } from "./fault-words"
import { saveFaults } from "./faults-file"
import type { Import } from "./kinds"

/** The number of faults that are shown at first, and added by the button below them. */
const step = 50

/** What is wrong in which row. A file has all faults. */
export function Faults({ of }: { of: Import }) {
  const [most, setMost] = useState(step)
  const { faults, faultCount } = of
  if (faultCount === 0) return null
  const shown = faults.slice(0, most)
  return (
    <div>
      <FaultsTable faults={shown} kind={of.kind} />
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed">
          {t(($) => $.lists.shownOf, { shown: number(shown.length), total: number(faultCount) })}
        </Text>
        <Group gap="xs">
          {shown.length < faults.length && (
            <Button variant="default" onClick={() => setMost(most + step)}>
              {t(($) => $.common.showMore)}
            </Button>
          )}
          <DownloadFaults of={of} />
        </Group>
      </Group>
    </div>
  )
}

const FaultsTable = ({ faults, kind }: Pick<Import, "faults" | "kind">) => (
  <Table verticalSpacing={4} aria-label={t(($) => $.imports.faults)}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col" className="right" w={64}>
          {t(($) => $.imports.row)}
        </Table.Th>
        <Table.Th scope="col">{t(($) => $.imports.column)}</Table.Th>
        <Table.Th scope="col">{t(($) => $.imports.fault)}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {faults.map((fault, i) => (
        <Table.Tr key={i}>
          <Table.Th scope="row" className="right" fw="normal">
            {fault.row ?? "–"}
          </Table.Th>
          <Table.Td style={{ overflowWrap: "anywhere" }}>{fault.column ?? "–"}</Table.Td>
          <Table.Td style={{ overflowWrap: "anywhere" }}>{faultInWords(fault, kind)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

function DownloadFaults({ of }: { of: Import }) {
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      await saveFaults(of)
    } catch (error) {
      tellError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <BusyButton
      variant="default"
      leftSection={<IconDownload size={16} />}
      isBusy={isBusy}
      onClick={() => void download()}
    >
      {t(($) => $.imports.downloadFaults)}
    </BusyButton>
  )
}
