import { Alert, Anchor, Button, Text } from "@mantine/core"
import { Link } from "wouter"
import { call } from "../../../console/api/client"
import { useChange, useMay, useRead } from "../../../console/api/hooks"
import { confirm } from "../../../console/parts/confirm"
import { tellDone, tellError } from "../../../console/parts/tell"
import type { MailStatus } from "../model"
import { t } from "./texts"

/** The page on which an admin sets up mail. */
export const setUpPath = "/settings/mail"

/** What the set-up of mail lacks, in words. */
export const lacking = (missing: readonly string[]): string =>
  missing
    .map((name) => t(($) => $.lacks[name as keyof typeof t.texts.en.lacks], { defaultValue: name }))
    .join(", ")

/** Tells that no mail is sent: after a restore, or because something is missing or switched off. */
export function MailNotice({ isSetUpPage = false }: { isSetUpPage?: boolean }) {
  const isAdmin = useMay()("administration", "admin")
  const { data } = useRead<MailStatus>("/messages/status", useMay()("invoices", "read"))
  if (!data) return null
  const { isSetUp, missing, isPaused, isSwitchedOff } = data
  return (
    <>
      {missing.length > 0 && (
        <Alert color="orange" role="status" title={t(($) => $.missing)}>
          <Text size="sm">{t(($) => $.missingText, { what: lacking(missing) })}</Text>
          {!isSetUpPage && <Completing isAdmin={isAdmin} />}
        </Alert>
      )}
      {isSetUp && isSwitchedOff && (
        <Alert color="gray" role="status" title={t(($) => $.switchedOff)}>
          {t(($) => $.switchedOffText)}
        </Alert>
      )}
      {(isSetUp || missing.length > 0) && isPaused && (
        <Alert color="orange" role="status" title={t(($) => $.paused)}>
          <Text size="sm" mb={isAdmin ? "sm" : 0}>
            {t(($) => $.pausedText)}
          </Text>
          {isAdmin && <Resume />}
        </Alert>
      )}
    </>
  )
}

/** Leads an admin to the set-up, and others to an admin. */
export const Completing = ({ isAdmin }: { isAdmin: boolean }) =>
  isAdmin ? (
    <Anchor component={Link} href={setUpPath} size="sm">
      {t(($) => $.setUp)}
    </Anchor>
  ) : (
    <Text size="sm">{t(($) => $.askAdmin)}</Text>
  )

function Resume() {
  const resume = useChange(() => call("POST", "/messages/resume", { body: {} }))
  const ask = async () => {
    const question = {
      title: t(($) => $.confirmResume),
      text: t(($) => $.confirmResumeText),
      action: t(($) => $.resume),
      isDangerous: false,
    }
    if (!(await confirm(question))) return
    resume.mutate(undefined, { onSuccess: () => tellDone(t(($) => $.resumed)), onError: tellError })
  }
  return (
    <Button size="xs" variant="default" loading={resume.isPending} onClick={() => void ask()}>
      {t(($) => $.resume)}
    </Button>
  )
}
