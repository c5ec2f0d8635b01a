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

/** Tells admins on every page that webhooks were disabled, or that nothing is sent after a restore. */
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
  if (!data || !data.since || data.since === hidden) return null
  return (
    <Alert
      color="orange"
      role="status"
      className="no-print"
      mb="md"
      p="xs"
      withCloseButton
      closeButtonLabel={t(($) => $.webhooks.hide)}
      onClose={() => setHidden(data.since)}
    >
      <Group gap="sm">
        <Text size="sm">
          {data.isPaused
            ? t(($) => $.webhooks.shellPaused)
            : t(($) => $.webhooks.shellDisabled, { count: data.count, shown: number(data.count) })}
        </Text>
        <Anchor component={Link} href="/settings/webhooks" size="sm">
          {t(($) => $.webhooks.show)}
        </Anchor>
      </Group>
    </Alert>
  )
}

/** Returns the number of disabled webhooks, and when the last one was disabled; an empty text if none was. */
async function read(): Promise<{ isPaused: boolean; count: number; since: string }> {
  const query = new URLSearchParams({
    "disabledReason[in]": "gone,failing,restored",
    sort: "disabledAt",
    order: "desc",
    perPage: "1",
    fields: "disabledAt",
  })
  const [{ data: status }, { data: last, meta }] = await Promise.all([
    call<WebhookSending>("GET", "/webhooks/status"),
    call<Pick<Webhook, "disabledAt">[]>("GET", `/webhooks?${query}`),
  ])
  const since = last[0]?.disabledAt ?? ""
  return { isPaused: status.isPaused, count: meta?.total ?? 0, since }
}
