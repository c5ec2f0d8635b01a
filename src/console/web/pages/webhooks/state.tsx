import { Alert, Badge } from "@mantine/core"
import type { Webhook } from "../../api/types"
import { moment } from "../../format"
import { t } from "../../texts"

type State = "active" | "failing" | "inactive" | "disabled"

const stateOf = ({ isActive, disabledReason, failingSince }: Webhook): State => {
  if (isActive) return failingSince ? "failing" : "active"
  return disabledReason ? "disabled" : "inactive"
}

const colours: Record<State, string> = {
  active: "teal",
  failing: "orange",
  inactive: "gray",
  disabled: "red",
}

/** The state of a webhook as text. The colour adds no information. */
export function StateBadge({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook)
  return (
    <Badge color={colours[state]} variant="light" tt="none" fw={600}>
      {t(($) => $.webhooks.states[state])}
    </Badge>
  )
}

/** Why a webhook was disabled, or since when it fails. */
export function StateNotice({ webhook }: { webhook: Webhook }) {
  const { isActive, disabledReason, disabledAt, failingSince } = webhook
  if (!isActive && disabledReason)
    return (
      <Alert
        color="red"
        role="alert"
        title={t(($) => $.webhooks.disabledAt, { time: disabledAt ? moment(disabledAt) : "–" })}
      >
        {t(($) => $.webhooks.disabledBecause[disabledReason])}
      </Alert>
    )
  if (isActive && failingSince)
    return (
      <Alert color="orange" role="status">
        {t(($) => $.webhooks.failingSince, { time: moment(failingSince) })}
      </Alert>
    )
  return null
}
