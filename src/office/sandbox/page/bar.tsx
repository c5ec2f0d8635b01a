import { Button, Group, Modal, Paper, Stack, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { call } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import { followTime } from "../../../console/clock"
import { moment } from "../../../console/format"
import { confirm } from "../../../console/parts/confirm"
import { tellError } from "../../../console/parts/tell"
import type { KeptMail } from "../kept-mail"
import { t } from "./texts"

type State = { now: string; isRunning: boolean }

/** Others can move the clock too, in ms. */
const readEvery = 10_000

/** The time of a demo, and what sets it. Other servers have no such bar. */
export default function SandboxBar() {
  const isAdmin = useMay()("administration", "admin")
  return isAdmin ? <Controls /> : null
}

function Controls() {
  const client = useQueryClient()
  const [isMailOpen, mail] = useDisclosure()
  const { data } = useQuery({
    queryKey: ["sandbox"],
    queryFn: async () => (await call<State>("GET", "/sandbox")).data,
    refetchInterval: readEvery,
  })
  useEffect(() => {
    if (data) followTime(data)
  }, [data])
  const move = useMutation({
    mutationFn: (advance: string) => call("PUT", "/sandbox/clock", { body: { advance } }),
    onSuccess: () => client.invalidateQueries(),
    onError: tellError,
  })
  const reset = useMutation({
    mutationFn: () => call("POST", "/sandbox/reset", { body: {} }),
    // The page may show what does not exist any more.
    onSuccess: () => location.assign("/console/"),
    onError: tellError,
  })
  const askToReset = async () => {
    const texts = {
      title: t(($) => $.resetTitle),
      text: t(($) => $.resetText),
      action: t(($) => $.reset),
      dismiss: t(($) => $.keep),
    }
    if (await confirm(texts)) reset.mutate()
  }
  if (!data) return null
  const isBusy = move.isPending || reset.isPending
  return (
    <Paper
      component="section"
      aria-label={t(($) => $.bar)}
      className="no-print"
      withBorder
      mb="md"
      px="sm"
      py={6}
    >
      <Group gap="sm" justify="space-between">
        <Text size="sm">
          <b>{t(($) => $.bar)}</b> · {t(($) => $.time, { now: moment(data.now) })}
        </Text>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            disabled={isBusy}
            title={t(($) => $.dayLabel)}
            onClick={() => move.mutate("P1D")}
          >
            {t(($) => $.day)}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={isBusy}
            title={t(($) => $.monthLabel)}
            onClick={() => move.mutate("P1M")}
          >
            {t(($) => $.month)}
          </Button>
          <Button size="compact-sm" variant="default" onClick={mail.open}>
            {t(($) => $.mail)}
          </Button>
          <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => void askToReset()}>
            {t(($) => $.reset)}
          </Button>
        </Group>
      </Group>
      <Modal opened={isMailOpen} onClose={mail.close} title={t(($) => $.mail)} size="lg">
        <Mail />
      </Modal>
    </Paper>
  )
}

function Mail() {
  const { data } = useQuery({
    queryKey: ["sandbox", "messages"],
    queryFn: async () => (await call<KeptMail[]>("GET", "/sandbox/messages")).data,
    refetchInterval: readEvery,
  })
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t(($) => $.mailAbout)}
      </Text>
      {data?.length === 0 && <Text>{t(($) => $.noMail)}</Text>}
      {data?.map((each) => (
        <One key={`${each.message} ${each.sentAt}`} mail={each} />
      ))}
    </Stack>
  )
}

const One = ({ mail: { to, subject, text, sentAt, attachments } }: { mail: KeptMail }) => (
  <Paper withBorder p="sm">
    <Text fw={600}>{subject}</Text>
    <Text size="sm" c="dimmed">
      {t(($) => $.to, { addresses: to.join(", ") })} · {moment(sentAt)}
    </Text>
    <Text size="sm" mt="xs" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
      {text}
    </Text>
    {attachments.length > 0 && (
      <Text size="sm" mt="xs">
        {t(($) => $.attachments, { names: attachments.map(({ name }) => name).join(", ") })}
      </Text>
    )}
  </Paper>
)
