import { Alert, Button, Group, Paper, Text, TextInput } from "@mantine/core"
import { number } from "../../../console/format"
import { t } from "../../../console/texts"
import type { Counts } from "./use-counts"

/** Saves the counts that were typed in. It stays visible while the list scrolls. */
export const CountBar = ({ counts }: { counts: Counts }) => (
  <Paper
    component="form"
    withBorder
    shadow="md"
    p="sm"
    mt="md"
    pos="sticky"
    bottom={8}
    style={{ zIndex: 5 }}
    onSubmit={(event) => {
      event.preventDefault()
      void counts.save()
    }}
  >
    {counts.error && (
      <Alert color="red" role="alert" mb="sm">
        {counts.error}
      </Alert>
    )}
    <Fields counts={counts} />
  </Paper>
)

const Fields = ({ counts: { size, note, setNote, isSaving, discard } }: { counts: Counts }) => (
  <Group gap="sm">
    <Text size="sm" fw={600} aria-live="polite">
      {t(($) => $.stock.itemsCounted, { count: size, shown: number(size) })}
    </Text>
    <TextInput
      aria-label={t(($) => $.stock.countNote)}
      placeholder={t(($) => $.fields.note)}
      maxLength={500}
      value={note}
      onChange={({ currentTarget }) => setNote(currentTarget.value)}
      style={{ flex: 1, minWidth: 120 }}
    />
    <Button variant="default" onClick={discard} disabled={isSaving}>
      {t(($) => $.stock.discard)}
    </Button>
    <Button type="submit" loading={isSaving}>
      {t(($) => $.stock.saveCount)}
    </Button>
  </Group>
)
