import { Button, Group, Modal, Table, Text } from "@mantine/core"
import { shown } from "../parts/shown"
import { t } from "../texts"
import { fieldName } from "../texts/fields"
import type { Difference } from "./body"
import type { RecordFormState } from "./use-record-form"

type Props = {
  state: RecordFormState
  /** Describes the value of a field, if the value itself is not readable. */
  describe?: (field: string, value: unknown) => string | undefined
}

/** Shows both versions when two users changed the same record. */
export function ConflictDialog({ state, describe }: Props) {
  const { conflict, keepMine, takeTheirs, isSaving } = state
  return (
    <Modal
      opened={conflict !== null}
      onClose={takeTheirs}
      title={t(($) => $.forms.conflict)}
      size="lg"
      closeOnClickOutside={false}
      withCloseButton={false}
      closeOnEscape={false}
    >
      <Text size="sm" mb="sm">
        {t(($) => $.forms.conflictText)}
      </Text>
      <BothVersions changes={conflict?.changes ?? []} describe={describe} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={takeTheirs}>
          {t(($) => $.forms.discardMine)}
        </Button>
        <Button loading={isSaving} onClick={() => keepMine()}>
          {t(($) => $.forms.saveMine)}
        </Button>
      </Group>
    </Modal>
  )
}

type BothProps = { changes: Difference[]; describe: Props["describe"] }

function BothVersions({ changes, describe }: BothProps) {
  const inWords = (field: string, value: unknown) => describe?.(field, value) ?? shown(field, value)
  const mineInWords = ({ field, mine }: Difference) => {
    if (mine === undefined) return t(($) => $.forms.notChanged)
    return field === "password" ? t(($) => $.forms.asEntered) : inWords(field, mine)
  }
  return (
    <Table.ScrollContainer
      minWidth={360}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.forms.bothVersions) },
      }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(($) => $.forms.field)}</Table.Th>
            <Table.Th>{t(($) => $.forms.yourVersion)}</Table.Th>
            <Table.Th>{t(($) => $.forms.savedVersion)}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.field}>
              <Table.Th scope="row">{fieldName(change.field)}</Table.Th>
              <Table.Td>{mineInWords(change)}</Table.Td>
              <Table.Td>{inWords(change.field, change.theirs)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
