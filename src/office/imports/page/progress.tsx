import { Progress as Bar, Stack, Text, VisuallyHidden } from "@mantine/core"
import { number } from "../../../console/format"
import { t } from "./texts"
import { isWaiting, statusInWords } from "./status"
import type { Import } from "./kinds"

/** A screen reader is told the progress in steps of this many percent, and not each time it changes. */
const announced = 25

/** How far an import has come. */
export function ImportProgress({ of }: { of: Import }) {
  const label = statusInWords(of)
  const rows = of.status === "applying" ? writtenIn(of) : of.counts.rows
  const isQueued = isWaiting(of)
  const percent = Math.floor(of.progress / announced) * announced
  return (
    <Stack gap={4}>
      <Text size="sm">
        {isQueued ? t(($) => $.waiting) : label}{" "}
        {rows > 0 && t(($) => $.rowsSoFar, { count: rows, shown: number(rows) })}
      </Text>
      <Bar.Root size="lg" transitionDuration={200}>
        <Bar.Section
          value={of.progress}
          withAria={false}
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={of.progress}
          aria-valuetext={t(($) => $.progress, { label, percent: of.progress })}
        />
      </Bar.Root>
      <VisuallyHidden role="status">
        {isQueued ? t(($) => $.waiting) : t(($) => $.progress, { label, percent })}
      </VisuallyHidden>
    </Stack>
  )
}

const writtenIn = ({ counts }: Import): number =>
  counts.created + counts.updated + counts.unchanged + counts.failed
