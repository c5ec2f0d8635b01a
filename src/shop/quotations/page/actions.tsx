import { Button, TextInput } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { call } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import type { Quotation, SalesOrder } from "../../../console/api/types"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { useIntentions } from "../../../console/forms/use-record-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { IconShoppingCart } from "../../../console/parts/icons"
import type { MoreAction } from "../../../console/parts/more-menu"
import { tellDone } from "../../../console/parts/tell"
import { useDelete, useDuplicate } from "../../../console/parts/use-delete"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { SendAction } from "../../../trade/page/mail/send-action"
import { PdfButton } from "../../../trade/page/papers/pdf-button"
import { askedFor, setStatus, useSteps } from "../../../trade/page/use-steps"
import { LinkDialog } from "./link-dialog"
import { t } from "./texts"

type Mode = { isEdited: boolean; edit: () => void }

/** The actions on a quotation, by its status and the rights of the user. */
export function useQuotationActions(quotation: Quotation, { isEdited, edit }: Mode) {
  const steps = useSteps<Quotation>()
  const may = useMay()
  const [open, setOpen] = useState<"accept" | "link" | null>(null)
  const close = () => setOpen(null)
  const { id, version, status, quotationNumber: number, allowedTransitions } = quotation
  const mayWrite = may("sales-orders", "write")
  const removal = useDelete({
    kind: "quotations",
    id,
    version,
    name: number,
    deleted: t(($) => $.wasDeleted, { number }),
    to: "/quotations",
  })
  const copy = useDuplicate("/quotations", id)
  const isBusy = steps.isPending || removal.isBusy
  const actions: (MoreAction | false)[] = [
    mayWrite && status === "sent" && !isEdited && { label: t(($) => $.revise), onClick: edit },
    mayWrite &&
      allowedTransitions.includes("accepted") && {
        label: t(($) => $.accept),
        onClick: () => setOpen("accept"),
      },
    mayWrite &&
      allowedTransitions.includes("declined") && {
        label: t(($) => $.decline),
        onClick: () => steps.take(ended(quotation, "declined")),
      },
    mayWrite &&
      (status === "sent" || status === "accepted") && {
        label: t(($) => $.link),
        onClick: () => setOpen("link"),
      },
    mayWrite && copy,
    mayWrite &&
      allowedTransitions.includes("withdrawn") && {
        label: t(($) => $.withdraw),
        onClick: () => steps.take(ended(quotation, "withdrawn")),
      },
    may("sales-orders", "delete") && status === "draft" && removal.action,
  ]
  const dialogs: ReactNode = (
    <>
      {open === "accept" && <AcceptDialog quotation={quotation} onClose={close} />}
      {open === "link" && <LinkDialog quotation={quotation} onClose={close} />}
    </>
  )
  return {
    actions: (
      <>
        {(status === "draft" || status === "sent") && (
          <SendAction
            kind="quotations"
            document={quotation}
            number={number}
            isDisabled={isBusy}
            mustBeSaved={isEdited}
          />
        )}
        <PdfButton kind="quotations" id={id} isDisabled={isBusy} />
        <OrderAction quotation={quotation} isDisabled={isBusy} />
      </>
    ),
    more: { actions, isBusy },
    dialogs,
  }
}

/** Makes the order of a quotation. */
function OrderAction({ quotation, isDisabled }: { quotation: Quotation; isDisabled: boolean }) {
  const may = useMay()
  const steps = useSteps<SalesOrder>()
  const keys = useIntentions()
  const { id, version, status, salesOrder, quotationNumber: number } = quotation
  const isOpen = (status === "sent" || status === "accepted") && salesOrder === null
  if (!isOpen || !may("sales-orders", "write")) return null
  const make = () => ({
    run: () =>
      call<SalesOrder>("POST", `/quotations/${id}/order`, { idempotencyKey: keys.of({ id, version }) }),
    done: t(($) => $.wasOrdered, { number }),
    nextPage: (order: SalesOrder) => `/orders/${order.id}`,
  })
  const take = () =>
    status === "accepted"
      ? steps.take(make())
      : steps.take(
          askedFor<SalesOrder>(
            {
              title: t(($) => $.confirmOrder, { number }),
              text: t(($) => $.confirmOrderText),
              action: t(($) => $.makeOrder),
              isDangerous: false,
            },
            make,
          ),
        )
  return (
    <Button
      leftSection={<IconShoppingCart size={16} />}
      disabled={isDisabled}
      loading={steps.isPending}
      onClick={() => void take()}
    >
      {t(($) => $.makeOrder)}
    </Button>
  )
}

/** Ends a quotation, with the reason that the user may give. */
const ended = (quotation: Quotation, status: "declined" | "withdrawn") => {
  const number = quotation.quotationNumber
  return askedFor<Quotation>(
    {
      title: t(($) => $.confirm[status], { number }),
      text: t(($) => $.confirmText),
      action: t(($) => $[status === "declined" ? "decline" : "withdraw"]),
      reason: common(($) => $.fields.reason),
    },
    ({ reason }) => ({
      run: () => setStatus("quotations", quotation, { status, reason: reason || null }),
      done: t(($) => $.was[status], { number }),
    }),
  )
}

type DialogProps = { quotation: Quotation; onClose: () => void }

/** Records who has accepted a quotation, and how. */
function AcceptDialog({ quotation, onClose }: DialogProps) {
  const { id, version, quotationNumber: number } = quotation
  const state = useCreateForm<Quotation, { acceptedBy: string; reference: string }>({
    path: `/quotations/${id}/status`,
    changes: { version },
    initialValues: { acceptedBy: "", reference: "" },
    bodyOf: ({ acceptedBy, reference }) => ({
      status: "accepted",
      acceptedBy: acceptedBy || null,
      reference: reference || null,
    }),
    onCreated: () => {
      tellDone(t(($) => $.was.accepted, { number }))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t(($) => $.acceptOf, { number })}
      state={state}
      submit={t(($) => $.accept)}
      onClose={onClose}
    >
      <TextInput
        label={fieldName("acceptedBy", { of: "quotations" })}
        description={t(($) => $.acceptedByHint)}
        maxLength={200}
        data-autofocus
        {...state.form.getInputProps("acceptedBy")}
      />
      <TextInput
        label={t(($) => $.reference)}
        description={t(($) => $.referenceHint)}
        maxLength={200}
        {...state.form.getInputProps("reference")}
      />
    </FormDialog>
  )
}
