import { Paper, Textarea } from "@mantine/core"
import type { ComponentProps, ReactNode } from "react"
import { useSearchParams } from "wouter"
import { useRecord } from "../../console/api/hooks"
import type { Customer, Kinds } from "../../console/api/types"
import { DayInput } from "../../console/forms/day-input"
import { RecordForm } from "../../console/forms/record-form"
import { useRecordForm } from "../../console/forms/use-record-form"
import { kinds } from "../../console/kinds"
import { Loaded, OnlyFor, Page } from "../../console/parts/page"
import { tellDone } from "../../console/parts/tell"
import { t as common } from "../../console/texts"
import { fieldName } from "../../console/texts/fields"
import type { LinesKind, PaperKind } from "./papers/paper-files"
import { parentOf } from "./record-page"

type Options<K extends LinesKind | "payments"> = {
  kind: K
  /** The page of a new document, unless documents are created elsewhere. */
  create?: {
    title: string
    /** Who can create one. */
    onlyFor: string
    /** The form, for the customer in the URL if there is one. */
    form: (customer: Customer | undefined) => ReactNode
  }
  show: (record: Kinds[K]) => ReactNode
}

/** Returns the page of a document, or of a payment, and of a new one. */
export function documentPage<K extends LinesKind | "payments">({ kind, create, show }: Options<K>) {
  return function DocumentPage({ id }: { id: string }) {
    const isNew = create !== undefined && id === "new"
    const query = useRecord(kind, isNew ? null : id)
    if (!isNew) return <Loaded query={query}>{show}</Loaded>
    const page = { title: create.title, parent: parentOf(kind) }
    return (
      <OnlyFor
        area={kinds[kind].right.area}
        scope="write"
        roles={kinds[kind].writers}
        sentence={create.onlyFor}
        {...page}
      >
        <Page {...page}>
          <ForCustomer>{create.form}</ForCustomer>
        </Page>
      </OnlyFor>
    )
  }
}

function ForCustomer({ children }: { children: (customer: Customer | undefined) => ReactNode }) {
  const [params] = useSearchParams()
  const wanted = params.get("customer")
  const customer = useRecord("customers", wanted)
  // If the customer is not found, the picker is empty. This needs no error.
  return (!wanted || !customer.isPending) && children(customer.data)
}

type OpenFieldsProps<K extends PaperKind> = {
  kind: K
  record: Kinds[K]
  /** What the message after a save calls the document. */
  name: string
  isReadOnly?: boolean
  hint?: string
  /** What the notes are for, if that is another hint. */
  notesHint?: string
  /** A date that can change as well. */
  day?: { key: keyof Kinds[K] & string } & Omit<ComponentProps<typeof DayInput>, "key">
  /** The least and the most rows of the notes. */
  rows?: [number, number]
}

/** The fields that can change when a document is no longer a draft: its notes, and perhaps a date. */
export function OpenFields<K extends PaperKind>(props: OpenFieldsProps<K>) {
  const { kind, record, name, isReadOnly = false, hint, day, rows: [minRows, maxRows] = [2, 12] } = props
  const { key = "", ...dayProps } = day ?? {}
  const state = useRecordForm({
    kind,
    record,
    valuesOf: (from) => ({
      ...(day && { [key]: from?.[day.key] ?? null }),
      notes: from?.notes ?? "",
    }),
    onSaved: () => tellDone(common(($) => $.common.saved, { name })),
  })
  const { form } = state
  return (
    <Paper withBorder p="md">
      <RecordForm state={state} isReadOnly={isReadOnly} isMain={form.isDirty()}>
        {day && (
          <DayInput label={fieldName(key)} description={hint} {...dayProps} {...form.getInputProps(key)} />
        )}
        <Textarea
          label={common(($) => $.fields.notes)}
          description={props.notesHint ?? hint}
          autosize
          minRows={minRows}
          maxRows={maxRows}
          {...form.getInputProps("notes")}
        />
      </RecordForm>
    </Paper>
  )
}
