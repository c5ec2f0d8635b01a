import { Alert } from "@mantine/core"
import type { Invoice } from "../../api/types"
import { t } from "../../texts"

/** Why an opening invoice has no PDF and no credit notes. */
export const OpeningNote = ({ invoice: { isOpening } }: { invoice: Invoice }) =>
  isOpening && (
    <Alert color="gray" title={t(($) => $.invoices.openingTitle)}>
      {t(($) => $.invoices.openingText)}
    </Alert>
  )
