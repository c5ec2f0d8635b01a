import { Button, Group, Modal, Text } from "@mantine/core"
import { useState } from "react"
import { Link } from "wouter"
import { ApiError } from "../../../console/api/send"
import { useMay } from "../../../console/api/hooks"
import { useAttempt } from "../../../console/forms/use-record-form"
import { kinds } from "../../../console/kinds"
import { BusyButton } from "../../../console/parts/busy-button"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { IconArrowForwardUp } from "../../../console/parts/icons"
import { hasUnsaved } from "../../../console/forms/unsaved"
import { tellError, tellWarning } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { setUpPath } from "../../../office/mail/page/notice"
import type { PrintedKind } from "../papers/paper-files"
import { type Preview, previewOf } from "./preview"
import { SendDialog } from "./send-dialog"
import { t } from "./texts"

export type Sendable = {
  kind: PrintedKind
  document: { id: string; customer: string; customerName: string; lastSentAt: string | null }
  number: string
  /** True for documents that have e-invoices. */
  isIssued?: boolean
  isDisabled?: boolean
  /** True for a form: what is not saved yet would not be sent. */
  mustBeSaved?: boolean
}

type Shown = "notSetUp" | Preview | null

/** The button that sends a document by mail, for users with the right. */
export function SendAction(given: Sendable) {
  const { kind, document, isDisabled, mustBeSaved } = given
  const may = useMay()
  const { run, isSaving } = useAttempt()
  const [shown, setShown] = useState<Shown>(null)
  if (!may(kinds[kind].right.area, "write")) return null
  const open = () =>
    run(async () => {
      if (mustBeSaved && hasUnsaved()) return tellWarning(t(($) => $.saveFirst))
      try {
        setShown(await previewOf(kind, document.id))
      } catch (error) {
        if (error instanceof ApiError && error.code === "MAIL_NOT_SET_UP") setShown("notSetUp")
        else tellError(error)
      }
    })
  const close = () => setShown(null)
  return (
    <>
      <BusyButton
        variant="light"
        leftSection={<IconArrowForwardUp size={16} />}
        disabled={isDisabled}
        isBusy={isSaving}
        onClick={() => void open()}
      >
        {t(($) => $.send)}
      </BusyButton>
      {shown === "notSetUp" && <NotSetUp onClose={close} />}
      {shown !== null && shown !== "notSetUp" && <SendDialog {...given} preview={shown} onClose={close} />}
    </>
  )
}

/** Leads an admin to the set-up of mail, and others to an admin. */
function NotSetUp({ onClose }: { onClose: () => void }) {
  const isAdmin = useMay()("administration", "admin")
  useRestoreFocus()
  return (
    <Modal opened onClose={onClose} title={t(($) => $.notSetUp)}>
      <Text size="sm" mb="md">
        {t(($) => (isAdmin ? $.notSetUpText : $.notSetUpAsk))}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {common(($) => $.common.close)}
        </Button>
        {isAdmin && (
          <Button component={Link} href={setUpPath} data-autofocus>
            {t(($) => $.setUp)}
          </Button>
        )}
      </Group>
    </Modal>
  )
}
