import { Alert, Anchor, Group, Text } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "wouter"
import { call } from "../api/client"
import { useMay } from "../api/hooks"
import type { Webhook, WebhookSending } from "../api/types"
import { number } from "../format"
import { t } from "../texts"

/** Webhooks are disabled after days of failure, so it is enough to look now and then, in ms. */
const readEvery = 5 * 60_000

/** Tells admins on every page that webhooks were disabled or are paused, or that nothing is sent after a restore. */
export function WebhookNotice() {
  const [path] = useLocation()
  const isAdmin = useMay()("administration", "admin")
  // The pages of the webhooks tell it themselves.
  return isAdmin && !path.startsWith("/settings/webhooks") ? <Notice /> : null
}

function Notice() {
  const { data } = useQuery({
    queryKey: ["webhooks", "notice"],
    queryFn: read,
    refetchInterval: readEvery,
    staleTime: readEvery,
  })
  const [hidden, setHidden] = useLocalStorage({ key: "kontor.webhook-notice", defaultValue: "" })
  if (!data || !data.key || data.key === hidden) return null
  return (
    <Alert
      color="orange"
      role="status"
      className="no-print"
      mb="md"
      p="xs"
      withCloseButton
      closeButtonLabel={t(($) => $.webhooks.hide)}
      onClose={() => setHidden(data.key)}
    >
      <Group gap="sm">
        <Text size="sm">{data.sentences.join(" ")}</Text>
        <Anchor component={Link} href="/settings/webhooks" size="sm">
          {t(($) => $.webhooks.show)}
        </Anchor>
      </Group>
    </Alert>
  )
}

/**
 * Returns what the notice says. `key` differs when another webhook is disabled or paused; it is empty if there is
 * nothing to say.
 */
async function read(): Promise<{ sentences: string[]; key: string }> {
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
      ? [t(($) => $.webhooks.shellOwner, { count: paused.length, shown: number(paused.length) })]
      : []),
  ]
  return { sentences, key: [since, ...paused.map(({ id }) => id)].join(" ") }
}

const disabledSentence = ({ isPaused }: WebhookSending, count: number): string =>
  isPaused
    ? t(($) => $.webhooks.shellPaused)
    : t(($) => $.webhooks.shellDisabled, { count, shown: number(count) })
