import { Alert, Anchor, Button, Group, List, Progress, Stack, Text } from "@mantine/core"
import { Link } from "wouter"
import { number } from "../../../format"
import { tellError } from "../../../parts/tell"
import { t } from "../../../texts"
import { hasEnded, stopReprice, useItemCodes, type PriceJob } from "./reprice"

/** The number of faults that are shown. */
const mostShown = 20

/** How far a job has come, and its result. */
export function PriceJobView({ job, onClose }: { job: PriceJob; onClose: () => void }) {
  if (!hasEnded(job))
    return (
      <Stack>
        <Text size="sm" role="status">
          {t(($) => $.items.bulk.running)}
        </Text>
        <Progress value={job.progress} aria-label={t(($) => $.items.bulk.running)} size="lg" />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => void stopReprice(job.id).catch(tellError)}>
            {t(($) => $.lists.stop)}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <Stack>
      <Result job={job} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t(($) => $.common.close)}
        </Button>
      </Group>
    </Stack>
  )
}

function Result({ job: { counts, error, faults, faultCount } }: { job: PriceJob }) {
  const { updated, unchanged } = counts
  return (
    <div role="status">
      {error && (
        <Alert color={error.code === "CANCELLED" ? "yellow" : "red"} mb="sm">
          {error.code === "CANCELLED" ? t(($) => $.items.bulk.stopped) : error.message}
        </Alert>
      )}
      <Text>{t(($) => $.items.bulk.updated, { count: updated, shown: number(updated) })}</Text>
      {unchanged > 0 && (
        <Text>{t(($) => $.items.bulk.unchanged, { count: unchanged, shown: number(unchanged) })}</Text>
      )}
      {faultCount > 0 && (
        <>
          <Text>{t(($) => $.items.bulk.failed, { count: faultCount, shown: number(faultCount) })}</Text>
          <Faults faults={faults.slice(0, mostShown)} />
        </>
      )}
    </div>
  )
}

function Faults({ faults }: Pick<PriceJob, "faults">) {
  const { data: codes } = useItemCodes(faults.map(({ record = "" }) => record))
  return (
    <List size="sm">
      {faults.map(({ record = "", code = "", message }) => (
        <List.Item key={record}>
          {codes?.has(record) && (
            <>
              <Anchor component={Link} href={`/items/${record}`} size="sm">
                {codes.get(record)}
              </Anchor>
              {": "}
            </>
          )}
          {isKnown(code) ? t(($) => $.items.bulk.fault[code]) : message}
        </List.Item>
      ))}
    </List>
  )
}

const faultCodes = ["NEGATIVE", "TOO_LARGE", "CHANGED", "NOT_FOUND"] as const

const isKnown = (code: string): code is (typeof faultCodes)[number] =>
  (faultCodes as readonly string[]).includes(code)
