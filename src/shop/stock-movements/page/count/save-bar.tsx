import { Button, Group, Paper, Text, TextInput } from "@mantine/core"
import { BusyButton } from "../../../../console/parts/busy-button"
import { confirm } from "../../../../console/parts/confirm"
import { ErrorAlert } from "../../../../console/parts/error-alert"
import { number } from "../../../../console/format"
import { t } from "../../../../console/texts"
import type { CountDraft } from "./draft"
import type { CountSaving } from "./use-save-count"

type Props = { draft: CountDraft; saving: CountSaving; onDiscarded: () => void }

/**
 * Saves or discards the count. It is above the lines, so that it can be reached by keyboard without going through all
 * of them. It is no form, because a scan into the note ends with Enter and must not save the count.
 */
export function SaveBar({ draft, saving, onDiscarded }: Props) {
  const { lines, note } = draft.draft
  const discard = async () => {
    const isSure = await confirm({
      title: t(($) => $.stockCount.confirmDiscard),
      text: t(($) => $.stockCount.discardText, { count: lines.length, shown: number(lines.length) }),
      action: t(($) => $.stock.discard),
    })
    if (!isSure) return
    draft.discard()
    onDiscarded()
  }
  return (
    <Paper withBorder p="sm">
      <ErrorAlert message={saving.errors.message} />
      <Group gap="sm" mt={saving.errors.message ? "sm" : 0}>
        <Text size="sm" fw={600}>
          {t(($) => $.stock.itemsCounted, { count: lines.length, shown: number(lines.length) })}
        </Text>
        <TextInput
          aria-label={t(($) => $.stock.countNote)}
          placeholder={t(($) => $.fields.note)}
          maxLength={500}
          value={note}
          onChange={({ currentTarget }) => draft.setNote(currentTarget.value)}
          style={{ flex: 1, minWidth: 120 }}
        />
        <Button variant="default" onClick={discard} disabled={saving.isSaving}>
          {t(($) => $.stock.discard)}
        </Button>
        <BusyButton isBusy={saving.isSaving} onClick={() => void saving.save()}>
          {t(($) => $.stock.saveCount)}
        </BusyButton>
      </Group>
    </Paper>
  )
}
