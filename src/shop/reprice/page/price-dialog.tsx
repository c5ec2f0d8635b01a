import { Button, Group, Modal, Stack } from "@mantine/core"
import { useMe } from "../../../console/api/hooks"
import { number } from "../../../console/format"
import { BusyButton } from "../../../console/parts/busy-button"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { t } from "../../../console/texts"
import { hasEnded, usePriceJob } from "./job"
import { PriceFields } from "./price-fields"
import { PriceJobView } from "./price-job"
import { PreviewTable } from "./price-preview"
import type { Filter } from "./reprice"
import { usePriceForm } from "./use-price-form"

type Props = {
  filter: Filter
  /** The job, if it was started. */
  jobId: string | null
  onStarted: (id: string) => void
  /** `isDone` is true if the job has ended, so that its result was seen. */
  onClose: (isDone: boolean) => void
}

/** Changes the prices of many items: shows the first ten before and after, then how far the job has come. */
export function PriceDialog({ filter, jobId, onStarted, onClose }: Props) {
  useRestoreFocus()
  const { data: job } = usePriceJob(jobId)
  const isDone = job !== undefined && hasEnded(job)
  const isRunning = jobId !== null && !isDone
  const close = () => onClose(isDone)
  return (
    <Modal
      opened
      onClose={close}
      title={t(($) => $.items.bulk.priceTitle)}
      size="lg"
      closeOnClickOutside={!isRunning}
    >
      {job ? (
        <PriceJobView job={job} onClose={close} />
      ) : (
        <PriceRequest filter={filter} onStarted={onStarted} onClose={close} />
      )}
    </Modal>
  )
}

type RequestProps = { filter: Filter; onStarted: (id: string) => void; onClose: () => void }

function PriceRequest({ filter, onStarted, onClose }: RequestProps) {
  const { currency } = useMe().company
  const { form, change, start, isStarting, errors, data, isReady } = usePriceForm(filter, onStarted)
  return (
    <Stack>
      <PriceFields form={form} currency={currency} errors={errors} onChange={change} />
      <ErrorAlert message={errors.other ?? null} />
      {data && <PreviewTable of={data} currency={currency} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t(($) => $.common.cancel)}
        </Button>
        <BusyButton isBusy={isStarting} disabled={!isReady} onClick={start}>
          {data
            ? t(($) => $.items.bulk.changePrices, { count: data.matched, shown: number(data.matched) })
            : t(($) => $.items.bulk.priceTitle)}
        </BusyButton>
      </Group>
    </Stack>
  )
}
