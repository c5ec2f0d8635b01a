import { Group, Progress, Stack, Text } from "@mantine/core"
import type { Summary } from "../../../console/api/types"
import { money, number } from "../../../console/format"
import { t } from "../../../console/texts"

type Buckets = NonNullable<Summary["receivables"]>["buckets"]

const ages: Record<string, { name: string; colour: string }> = {
  notDue: { name: t(($) => $.dashboard.notDue), colour: "teal.5" },
  "1-30": { name: t(($) => $.dashboard.overdueTo30), colour: "yellow.6" },
  "31-60": { name: t(($) => $.dashboard.overdueTo60), colour: "orange.6" },
  "61-90": { name: t(($) => $.dashboard.overdueTo90), colour: "red.6" },
  over90: { name: t(($) => $.dashboard.overdueOver90), colour: "red.9" },
}

/** The outstanding amounts by age, each with a bar relative to the largest amount. */
export function Receivables({ buckets, currency }: { buckets: Buckets; currency: string }) {
  const largest = Math.max(...buckets.map(({ amount }) => amount), 0.01)
  return (
    <Stack gap="md">
      {buckets.map(({ label, amount, count }) => (
        <div key={label}>
          <Group justify="space-between" gap="sm" mb={4}>
            <Text size="sm">
              {ages[label]?.name ?? label}
              {count > 0 && ` (${number(count)})`}
            </Text>
            <Text size="sm" className="figures">
              {money(amount, currency)}
            </Text>
          </Group>
          <Progress value={(100 * amount) / largest} color={ages[label]?.colour} size="lg" aria-hidden />
        </div>
      ))}
    </Stack>
  )
}
