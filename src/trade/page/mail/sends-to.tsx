import { Text } from "@mantine/core"
import type { Recipient } from "./recipient"
import { t } from "./texts"

type Props = { recipient: Recipient; action: string; customer: string }

/** Says where the button that sends an invoice at once sends it, or why there is none. */
export const SendsTo = ({ recipient: { isSetUp, address }, action, customer }: Props) =>
  isSetUp && (
    <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
      {address === null ? t(($) => $.cannotSend, { customer }) : t(($) => $.sendsTo, { action, address })}
    </Text>
  )
