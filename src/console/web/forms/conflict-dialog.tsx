import { Button, Group, Modal, Table, Text } from "@mantine/core"
import { words } from "../format"
import type { Difference } from "./body"
import type { RecordFormState } from "./use-record-form"

type Props = {
  state: RecordFormState
  /** A field's value in words, where the value itself says nothing to people. */
  describe?: (field: string, value: unknown) => string | undefined
}

/** Two people have changed the same record: both versions, side by side. */
export function ConflictDialog({ state, describe }: Props) {
  const { conflict, keepMine, takeTheirs, isSaving } = state
  return (
    <Modal
      opened={conflict !== null}
      onClose={takeTheirs}
      title="Somebody else has changed this meanwhile"
      size="lg"
      closeOnClickOutside={false}
      withCloseButton={false}
      closeOnEscape={false}
    >
      <Text size="sm" mb="sm">
        Nothing has been saved yet. Compare both versions, and say which one holds.
      </Text>
      <BothVersions changes={conflict?.changes ?? []} describe={describe} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={takeTheirs}>
          Take the saved version
        </Button>
        <Button loading={isSaving} onClick={() => keepMine()}>
          Save my changes
        </Button>
      </Group>
    </Modal>
  )
}

type BothProps = { changes: Difference[]; describe: Props["describe"] }

function BothVersions({ changes, describe }: BothProps) {
  const inWords = (field: string, value: unknown) => describe?.(field, value) ?? shown(value)
  const mineInWords = ({ field, mine }: Difference) => {
    if (mine === undefined) return "Not changed by you"
    return field === "password" ? "As you typed it" : inWords(field, mine)
  }
  return (
    <Table.ScrollContainer
      minWidth={360}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "Both versions" } }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th style={{ overflowWrap: "normal" }}>Field</Table.Th>
            <Table.Th>Yours</Table.Th>
            <Table.Th>As saved now</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.field}>
              <Table.Th scope="row" style={{ overflowWrap: "normal" }}>
                {words(change.field)}
              </Table.Th>
              <Table.Td>{mineInWords(change)}</Table.Td>
              <Table.Td>{inWords(change.field, change.theirs)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** A value of any field in words. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–"
  if (typeof value === "boolean") return value ? "Yes" : "No"
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(shown).join("; ")
  if (typeof value === "object")
    return Object.entries(value)
      .filter(([, each]) => each !== null && each !== "")
      .map(([name, each]) => `${words(name)}: ${shown(each)}`)
      .join(", ")
  return String(value)
}
