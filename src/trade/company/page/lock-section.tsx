import { Text } from "@mantine/core"
import { useMe } from "../../../console/api/hooks"
import { isDay } from "../../../console/forms/day"
import { DayInput } from "../../../console/forms/day-input"
import { date } from "../../../console/format"
import { confirm } from "../../../console/parts/confirm"
import { Section } from "../../../console/parts/section"
import { t } from "../../../console/texts"
import type { SectionProps } from "./values"

/** The date up to which invoices and payments do not change any more. */
export function LockSection({ form }: SectionProps) {
  const { today } = useMe().company
  return (
    <Section title={t(($) => $.company.locked)}>
      <Text size="sm">{t(($) => $.company.lockedHint)}</Text>
      <DayInput
        label={t(($) => $.fields.lockedUntil)}
        w={{ base: "100%", sm: 260 }}
        clearable
        maxDate={today}
        {...form.getInputProps("lockedUntil")}
      />
    </Section>
  )
}

/** Asks before a locked period is opened again. Returns false if the user declines. */
export async function mayUnlock(until: string | null, next: string | null): Promise<boolean> {
  const isOpening = until !== null && (!next || (isDay(next) && next < until))
  if (!isOpening) return true
  const answer = await confirm({
    title: t(($) => $.company.unlock),
    text: next
      ? t(($) => $.company.unlockSome, { until: date(until), next: date(next) })
      : t(($) => $.company.unlockAll, { until: date(until) }),
    action: t(($) => $.company.unlockAction),
  })
  return answer !== null
}
