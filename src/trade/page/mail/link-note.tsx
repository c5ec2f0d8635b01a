import { Stack, Text } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import { useMay, useMe } from "../../../console/api/hooks"
import { useAttempt } from "../../../console/forms/use-record-form"
import type { Kind } from "../../../console/api/types"
import { BusyButton } from "../../../console/parts/busy-button"
import { tellError } from "../../../console/parts/tell"
import { namesLink } from "../../../office/mail/page/link-words"
import { OnlyHereNote } from "./only-here"
import { Note } from "../view/note"
import { t } from "./texts"

type Props = { kind: Kind; text: string; onAdd: () => Promise<void> }

/**
 * Says what the customer gets where the text names the link to the page for the customer. If it names none, a button adds it;
 * an admin switches on these pages with it.
 */
export function LinkNote({ kind, text, onAdd }: Props) {
  const { publicPages, publicUrl } = useMe().company
  const isAdmin = useMay()("administration", "admin")
  const client = useQueryClient()
  const { run, isSaving } = useAttempt()
  const add = () =>
    run(async () => {
      try {
        if (!publicPages) {
          await call("PUT", "/settings", { body: { publicPages: true } })
          await client.invalidateQueries()
        }
        await onAdd()
      } catch (error) {
        tellError(error)
      }
    })
  if (publicPages && namesLink(text, kind))
    return (
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {t(($) => $.hasLink)}
        </Text>
        <OnlyHereNote url={publicUrl} />
      </Stack>
    )
  const canAdd = publicPages || isAdmin
  return (
    <Stack gap="xs" align="flex-start">
      <Note>{t(($) => (publicPages ? $.noLink : isAdmin ? $.noPages : $.noPagesAsk))}</Note>
      {canAdd && <OnlyHereNote url={publicUrl} />}
      {canAdd && (
        <BusyButton size="xs" variant="default" isBusy={isSaving} onClick={() => void add()}>
          {t(($) => (publicPages ? $.addLink : $.switchOnAndAddLink))}
        </BusyButton>
      )}
    </Stack>
  )
}
