import { Checkbox, Code, Group, Input, Paper, Stack } from "@mantine/core"
import type { EventKindName } from "../../../shared/event-types"
import { t } from "../../../console/texts"
import {
  eventKinds,
  everything,
  happeningsOf,
  hasKind,
  hasSome,
  hasType,
  wholeKind,
  withKind,
  withType,
} from "./patterns"

type Props = { value: string[]; onChange: (value: string[]) => void; error?: string }

/** Chooses types of events: all, all of a kind, or single ones. */
export const TypesPicker = ({ value, onChange, error }: Props) => (
  <Input.Wrapper
    label={t(($) => $.webhooks.types)}
    description={t(($) => $.webhooks.typesHint)}
    error={error}
    labelElement="div"
    required
  >
    <Stack gap="xs" mt="xs" role="group" aria-label={t(($) => $.webhooks.types)}>
      <Checkbox
        label={t(($) => $.webhooks.allTypes)}
        description={t(($) => $.webhooks.allTypesHint)}
        checked={value.includes(everything)}
        error={Boolean(error)}
        onChange={(event) => onChange(event.currentTarget.checked ? [everything] : [])}
      />
      {eventKinds.map((kind) => (
        <KindTypes key={kind} kind={kind} value={value} onChange={onChange} />
      ))}
    </Stack>
  </Input.Wrapper>
)

export const kindTitle = (kind: EventKindName): string =>
  kind === "imports" ? t(($) => $.webhooks.imports) : t(($) => $.kinds[kind].title)

function KindTypes({ kind, value, onChange }: Omit<Props, "error"> & { kind: EventKindName }) {
  const isAll = hasKind(value, kind)
  return (
    <Paper withBorder p="xs" role="group" aria-label={kindTitle(kind)}>
      <Checkbox
        fw={600}
        label={
          <>
            {t(($) => $.webhooks.allOf, { kind: kindTitle(kind) })} <Code>{wholeKind(kind)}</Code>
          </>
        }
        checked={isAll}
        indeterminate={!isAll && hasSome(value, kind)}
        onChange={(event) => onChange(withKind(value, kind, event.currentTarget.checked))}
      />
      <Group gap="md" mt="xs" ml={30} style={{ rowGap: 8 }}>
        {happeningsOf(kind).map((happening) => (
          <Checkbox
            key={happening}
            size="xs"
            label={t(($) => $.webhooks.happenings[happening])}
            checked={hasType(value, kind, happening)}
            onChange={(event) => onChange(withType(value, kind, happening, event.currentTarget.checked))}
          />
        ))}
      </Group>
    </Paper>
  )
}
