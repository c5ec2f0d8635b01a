import { Badge } from "@mantine/core"
import { words } from "../format"

const colours: Record<string, string> = {
  active: "teal",
  paid: "teal",
  completed: "teal",
  invoiced: "teal",
  success: "teal",
  submitted: "blue",
  unpaid: "blue",
  partially_paid: "indigo",
  partially_invoiced: "indigo",
  overdue: "red",
  failure: "red",
  refused: "red",
  cancelled: "gray",
  draft: "gray",
  inactive: "gray",
  not_invoiced: "gray",
}

/** A status as text. The colour adds no information. */
export const StatusBadge = ({ status }: { status: string }) => (
  <Badge color={colours[status] ?? "gray"} variant="light" tt="none" fw={600}>
    {words(status)}
  </Badge>
)
