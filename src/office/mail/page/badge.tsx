import { Badge } from "@mantine/core"
import { StatusBadge } from "../../../console/parts/status-badge"
import { statusName } from "../../../console/texts/fields"
import { t } from "./texts"

/** The status of a message in words. A message is not cancelled as a document is. */
export const messageStatus = (status: string): string =>
  status === "cancelled" ? t(($) => $.notSent) : statusName(status)

export const MessageBadge = ({ status }: { status: string }) =>
  status === "cancelled" ? (
    <Badge color="gray" variant="light" tt="none" fw={600}>
      {messageStatus(status)}
    </Badge>
  ) : (
    <StatusBadge status={status} />
  )
