import { Button, Group, Paper, Progress, Stack, Text } from "@mantine/core"
import { Page } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { useInterval } from "@mantine/hooks"
import { IconRefresh } from "../../../console/parts/icons"
import { useState } from "react"
import { timestampOf } from "../../../shared/dates"
import { useMe, useMeQuery } from "../../../console/api/hooks"
import type { Limit } from "../../../console/api/types"
import { clock } from "../../../console/clock"
import { moment, number } from "../../../console/format"
import { TextAround } from "../../../console/parts/more-menu"

/** How much of the user's limits is used. */
export default function Limits() {
  return (
    <Page title={common(($) => $.menu.limits)}>
      <Paper withBorder p="md" maw={760}>
        <LimitsInUse />
      </Paper>
    </Page>
  )
}

/** The user's plan, and how much of its limits is used. */
function LimitsInUse() {
  const { plan, limits } = useMe()
  const { refetch, isFetching } = useMeQuery()
  const [now, setNow] = useState(() => clock.real())
  useInterval(() => setNow(clock.real()), 1000, { autoInvoke: true })
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm">
          <TextAround text={(plan) => t(($) => $.plan, { plan })}>
            <b>{common(($) => $.values.plan[plan])}</b>
          </TextAround>
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={isFetching}
          onClick={() => refetch()}
        >
          {t(($) => $.refresh)}
        </Button>
      </Group>
      <Window
        title={t(($) => $.minute)}
        of={limits.minute}
        resets={untilMinute(limits.minute.resetAt, now)}
      />
      <Window
        title={t(($) => $.day)}
        of={limits.day}
        resets={t(($) => $.resetsAt, {
          time: moment(timestampOf(limits.day.resetAt * 1000)),
        })}
      />
    </Stack>
  )
}

function untilMinute(resetAt: number, now: number): string {
  const seconds = Math.ceil(resetAt - now / 1000)
  return seconds > 0 ? t(($) => $.resetsIn, { seconds: number(seconds) }) : t(($) => $.hasReset)
}

function Window({ title, of: { limit, remaining }, resets }: { title: string; of: Limit; resets: string }) {
  if (limit === null || remaining === null)
    return (
      <div>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Text size="sm">{t(($) => $.unlimited)}</Text>
      </div>
    )
  const used = limit - remaining
  const share = limit === 0 ? 100 : (used / limit) * 100
  return (
    <div>
      <Group justify="space-between">
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Text size="sm" className="figures">
          {t(($) => $.used, {
            used: number(used),
            limit: number(limit),
            remaining: number(remaining),
          })}
        </Text>
      </Group>
      <Progress
        value={share}
        color={share >= 90 ? "red" : share >= 70 ? "orange" : undefined}
        aria-label={t(($) => $.usageOf, { period: title })}
        my={4}
      />
      <Text size="xs" c="dimmed">
        {resets}
      </Text>
    </div>
  )
}
