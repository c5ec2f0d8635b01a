import { ActionIcon, Group, Paper, Stack, Text, Title } from "@mantine/core"
import { IconTrash } from "../../../console/parts/icons"
import type { ReactNode } from "react"
import { call } from "../../../console/api/client"
import { useChange } from "../../../console/api/hooks"
import { confirm } from "../../../console/parts/confirm"
import { tellDone, tellError } from "../../../console/parts/tell"
import { t } from "../texts"

/** A part of the money of a document: a refund, an application, a credit note. */
export type Part = {
  id: string
  title: ReactNode
  text: string
  amount: string
  /** How it is voided, if the user may do that. */
  removal?: Removal | false
}

export type Removal = {
  /** The API path of the DELETE request, and the version of the document that it is compared with. */
  path: string
  version?: number
  label: string
  question: { title: string; text: string }
  /** The message after success. */
  done: string
}

/** The parts of one kind, with their amounts. `none` is shown if there are none. */
export const PartList = ({ title, none, parts }: { title: string; none?: string; parts: Part[] }) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Title order={2} size="h5" mb="xs">
      {title}
    </Title>
    {parts.length === 0 && none && (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    )}
    <Stack gap="xs">
      {parts.map((part) => (
        <PartRow key={part.id} {...part} />
      ))}
    </Stack>
  </Paper>
)

/** One part, with its amount and the button that voids it. */
export const PartRow = ({ title, text, amount, removal }: Part) => (
  <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
    <div style={{ overflowWrap: "anywhere" }}>
      <Text size="sm" component="div">
        {title}
      </Text>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </div>
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" className="figures">
        {amount}
      </Text>
      {removal && <VoidButton {...removal} />}
    </Group>
  </Group>
)

function VoidButton({ path, version, label, question, done }: Removal) {
  const remove = useChange(() => call("DELETE", path, { version }))
  const ask = async () => {
    if (!(await confirm({ ...question, action: t(($) => $.documents.void) }))) return
    remove.mutate(undefined, { onSuccess: () => tellDone(done), onError: tellError })
  }
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} loading={remove.isPending} onClick={ask}>
      <IconTrash size={16} />
    </ActionIcon>
  )
}
