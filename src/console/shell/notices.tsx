import { Alert, Anchor, Group, Text } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Link, useLocation } from "wouter"
import { call } from "../api/client"
import { useMay } from "../api/hooks"
import { readWarnings } from "../api/send"
import type { ServerWarning, Webhook, WebhookSending } from "../api/types"
import { moment, number } from "../format"
import { t } from "../texts"
import { t as own } from "./notice-texts"

/** What is told happens seldom or lasts for days, so it is enough to look now and then, in ms. */
const readEvery = 5 * 60_000

/** Tells admins on every page what the server warns of, and what has happened to webhooks. */
export function Notices() {
  const [path] = useLocation()
  if (!useMay()("administration", "admin")) return null
  return (
    <>
      <ServerNotice />
      {/* The pages of the webhooks tell it themselves. */}
      {!path.startsWith("/settings/webhooks") && <WebhookNotice />}
    </>
  )
}

/** A notice that stays hidden until there is something else to say, which is another `id`. */
function Notice({ name, id, children }: { name: string; id: string; children: ReactNode }) {
  const [hidden, setHidden] = useLocalStorage({ key: `kontor.${name}`, defaultValue: "" })
  if (!id || id === hidden) return null
  return (
    <Alert
      color="orange"
      role="status"
      className="no-print"
      mb="md"
      p="xs"
      withCloseButton
      closeButtonLabel={t(($) => $.shell.hideNotice)}
      onClose={() => setHidden(id)}
    >
      <Group gap="sm">{children}</Group>
    </Alert>
  )
}

/** What the server warns of while it works: a clock that was or is wrong. */
function ServerNotice() {
  const { data = [] } = useQuery({
    queryKey: ["server", "warnings"],
    queryFn: readWarnings,
    refetchInterval: readEvery,
    staleTime: readEvery,
  })
  const id = data.map(({ code, params }) => [code, "until" in params ? params.until : ""].join(" ")).join()
  return (
    <Notice name="server-notice" id={id}>
      <Text size="sm">{data.map(sentenceOf).join(" ")}</Text>
      <Anchor component={Link} href="/settings/audit?action=clock.set-back" size="sm">
        {own(($) => $.showAuditLog)}
      </Anchor>
    </Notice>
  )
}

const sentenceOf = (warning: ServerWarning): string =>
  warning.code === "CLOCK_SET_BACK"
    ? own(($) => $.clockSetBack, { until: moment(warning.params.until) })
    : own(($) => $.clocksDiffer, { seconds: number(warning.params.seconds) })

/** Webhooks that were disabled or are paused, or that send nothing after a restore. */
function WebhookNotice() {
  const { data } = useQuery({
    queryKey: ["webhooks", "notice"],
    queryFn: readWebhooks,
    refetchInterval: readEvery,
    staleTime: readEvery,
  })
  if (!data) return null
  return (
    <Notice name="webhook-notice" id={data.id}>
      <Text size="sm">{data.sentences.join(" ")}</Text>
      <Anchor component={Link} href="/settings/webhooks" size="sm">
        {own(($) => $.showWebhooks)}
      </Anchor>
    </Notice>
  )
}

/**
 * Returns what the notice says. `id` differs when another webhook is disabled or paused; it is empty if there is nothing to
 * say.
 */
async function readWebhooks(): Promise<{ sentences: string[]; id: string }> {
  const disabled = new URLSearchParams({
    "disabledReason[in]": "gone,failing,restored",
    sort: "disabledAt",
    order: "desc",
    perPage: "1",
    fields: "disabledAt",
  })
  const [{ data: status }, { data: last, meta }, { data: paused }] = await Promise.all([
    call<WebhookSending>("GET", "/webhooks/status"),
    call<Pick<Webhook, "disabledAt">[]>("GET", `/webhooks?${disabled}`),
    call<Pick<Webhook, "id">[]>("GET", "/webhooks?pausedReason=owner&perPage=100&fields=id"),
  ])
  const since = last[0]?.disabledAt ?? ""
  const sentences = [
    ...(since ? [disabledSentence(status, meta?.total ?? 0)] : []),
    ...(paused.length > 0
      ? [own(($) => $.webhookOwner, { count: paused.length, shown: number(paused.length) })]
      : []),
  ]
  return { sentences, id: [since, ...paused.map(({ id }) => id)].join(" ").trim() }
}

const disabledSentence = ({ isPaused }: WebhookSending, count: number): string =>
  isPaused ? own(($) => $.webhooksPaused) : own(($) => $.webhooksDisabled, { count, shown: number(count) })
