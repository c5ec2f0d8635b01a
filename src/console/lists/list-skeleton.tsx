import { Skeleton, Stack } from "@mantine/core"
import { t } from "../texts"

const rows = Array.from({ length: 12 }, (_, i) => i)

/** Grey bars in place of the rows, until they are loaded. */
export const ListSkeleton = () => (
  <Stack gap={0} role="status" aria-label={t(($) => $.common.loading)}>
    {rows.map((i) => (
      <div key={i} className="skeleton-row">
        <Skeleton height={14} width={`${90 - (i % 4) * 10}%`} />
      </div>
    ))}
  </Stack>
)
