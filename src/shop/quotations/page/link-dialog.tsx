import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { useQueryClient } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import { ApiError } from "../../../console/api/send"
import type { Quotation } from "../../../console/api/types"
import { useAttempt } from "../../../console/forms/use-record-form"
import { moment } from "../../../console/format"
import { BusyButton } from "../../../console/parts/busy-button"
import { CopyField } from "../../../console/parts/copy-field"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { tellDone, tellError } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { OnlyHereNote } from "../../../trade/page/mail/only-here"
import { t } from "./texts"

type Props = { quotation: Quotation; onClose: () => void }
/** The link that was made, or that there are no pages. */
type Made = { url: string } | "off" | null

/** Makes the link to the page on which the customer answers. An admin can switch these pages on here. */
export function LinkDialog({ quotation: { id, link }, onClose }: Props) {
  useRestoreFocus()
  const isAdmin = useMay()("administration", "admin")
  const client = useQueryClient()
  const { run, isSaving } = useAttempt()
  const [made, setMade] = useState<Made>(null)
  const attempt = (work: () => Promise<void>) =>
    void run(async () => {
      try {
        await work()
        await client.invalidateQueries()
      } catch (error) {
        if (error instanceof ApiError && error.code === "PUBLIC_PAGES_OFF") setMade("off")
        else tellError(error)
      }
    })
  const make = async () => setMade((await call<{ url: string }>("POST", `/quotations/${id}/link`, {})).data)
  const switchOn = async () => {
    await call("PUT", "/settings", { body: { publicPages: true } })
    await make()
  }
  const closePage = async () => {
    await call("DELETE", `/quotations/${id}/link`)
    tellDone(t(($) => $.pageClosed))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={fieldName("link", { of: "quotations" })} size="lg">
      <Stack>
        <Text size="sm">
          {made === "off" ? t(($) => (isAdmin ? $.pagesOff : $.pagesOffAsk)) : t(($) => $.linkText)}
        </Text>
        {made !== null && made !== "off" && (
          <CopyField
            label={t(($) => $.linkLabel)}
            copy={t(($) => $.copyLink)}
            value={made.url}
            isLong
            autoFocus
          />
        )}
        {made !== null && made !== "off" && <OnlyHereNote url={made.url} />}
        {made === null && link !== null && (
          <Text size="sm" c="dimmed">
            {t(($) => $.replacesLink, { time: moment(link.createdAt) })}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common(($) => $.common.close)}
          </Button>
          {made === null && link !== null && (
            <BusyButton variant="default" isBusy={isSaving} onClick={() => attempt(closePage)}>
              {t(($) => $.closePage)}
            </BusyButton>
          )}
          {made === null && (
            <BusyButton isBusy={isSaving} onClick={() => attempt(make)}>
              {t(($) => $.makeLink)}
            </BusyButton>
          )}
          {made === "off" && isAdmin && (
            <BusyButton isBusy={isSaving} onClick={() => attempt(switchOn)}>
              {t(($) => $.switchOn)}
            </BusyButton>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
