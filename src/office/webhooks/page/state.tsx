import { Alert, Badge, Button, Text } from "@mantine/core"
import type { Webhook } from "../../../console/api/types"
import { moment } from "../../../console/format"
import { t } from "./texts"
import { useTakeOver } from "./actions"

type State = "active" | "failing" | "paused" | "inactive" | "disabled"

const stateOf = ({ isActive, disabledReason, pausedReason, failingSince }: Webhook): State => {
  if (pausedReason) return "paused"
  if (isActive) return failingSince ? "failing" : "active"
  return disabledReason ? "disabled" : "inactive"
}

const colours: Record<State, string> = {
  active: "teal",
  failing: "orange",
  paused: "red",
  inactive: "gray",
  disabled: "red",
}

/** The state of a webhook as text. The colour adds no information. */
export function StateBadge({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook)
  return (
    <Badge color={colours[state]} variant="light" tt="none" fw={600}>
      {t(($) => $.states[state])}
    </Badge>
  )
}

/** Why a webhook was disabled or is paused, or since when it fails. */
export function StateNotice({ webhook }: { webhook: Webhook }) {
  const { isActive, disabledReason, disabledAt, pausedReason, failingSince } = webhook
  if (pausedReason)
    return (
      <Alert color="red" role="alert" title={t(($) => $.pausedTitle)}>
        <Text size="sm" mb="sm">
          {t(($) => $.pausedBecause[pausedReason])}
        </Text>
        <TakeOver webhook={webhook} />
      </Alert>
    )
  if (!isActive && disabledReason)
    return (
      <Alert
        color="red"
        role="alert"
        title={t(($) => $.disabledAt, { time: disabledAt ? moment(disabledAt) : "–" })}
      >
        {t(($) => $.disabledBecause[disabledReason])}
      </Alert>
    )
  if (isActive && failingSince)
    return (
      <Alert color="orange" role="status">
        {t(($) => $.failingSince, { time: moment(failingSince) })}
      </Alert>
    )
  return null
}

function TakeOver({ webhook }: { webhook: Webhook }) {
  const { take, isBusy } = useTakeOver(webhook)
  return (
    <Button size="xs" variant="default" loading={isBusy} onClick={take}>
      {t(($) => $.takeOver)}
    </Button>
  )
}
