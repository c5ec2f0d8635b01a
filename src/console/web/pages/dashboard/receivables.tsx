import { Group, Progress, Stack, Text } from "@mantine/core"
import type { Summary } from "../../api/types"
import { money, number } from "../../format"

type Buckets = NonNullable<Summary["receivables"]>["buckets"]

const ages: Record<string, { name: string; colour: string }> = {
  notDue: { name: "Not yet due", colour: "teal.5" },
  "1-30": { name: "1 to 30 days overdue", colour: "yellow.6" },
  "31-60": { name: "31 to 60 days overdue", colour: "orange.6" },
  "61-90": { name: "61 to 90 days overdue", colour: "red.6" },
  over90: { name: "Over 90 days overdue", colour: "red.9" },
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
