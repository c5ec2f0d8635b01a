import type { UseFormReturnType } from "@mantine/form"
import { type ReactNode, useRef, useState } from "react"
import { useLocation, useSearchParams } from "wouter"
import { useMay, useMe, useRecord } from "../../console/api/hooks"
import type { ActiveKind, Kinds, Me } from "../../console/api/types"
import type { Body, Values } from "../../console/forms/body"
import { RecordForm } from "../../console/forms/record-form"
import { useRecordForm } from "../../console/forms/use-record-form"
import { kinds } from "../../console/kinds"
import { Loaded, OnlyFor, Page } from "../../console/parts/page"
import { StatusBadge } from "../../console/parts/status-badge"
import type { MoreAction } from "../../console/parts/more-menu"
import { tellDone } from "../../console/parts/tell"
import { useDelete, useDuplicate } from "../../console/parts/use-delete"
import { t as common } from "../../console/texts"
import { type HeaderFact, parentOf, RecordPage } from "./record-page"
import { Button } from "@mantine/core"

type Company = Me["company"]

type Options<K extends ActiveKind, V extends Values> = {
  kind: K
  /** The title of the page of a new record, its button, and who can create one. */
  texts: { new: string; create: string; onlyFor: string }
  nameOf: (record: Kinds[K]) => string
  /** What the message after a save calls the record, if not by its name. */
  savedAs?: (record: Kinds[K]) => string
  /** The values of the form; those of a new record if there is none. */
  valuesOf: (record: Kinds[K] | null, company: Company) => V
  /** Converts the values to the request body. Empty inputs are sent as null. */
  bodyOf?: (values: V) => Body
  /** What differs in a record that is filled from another one, such as a unique code. */
  inCopy?: Partial<Kinds[K]>
  /** The inputs of the form. `record` is null for a new one. */
  fields: (form: UseFormReturnType<V>, record: Kinds[K] | null, isReadOnly: boolean) => ReactNode
  /** What a person looks for first. */
  facts: (record: Kinds[K], company: Company) => (HeaderFact | false)[]
  /** The actions of the record. With `hasMainAction`, saving is the main action only after a change. */
  actions?: (record: Kinds[K]) => ReactNode
  hasMainAction?: boolean
  /** Another action for the menu, such as a merge, and the dialog that it opens. It is a hook. */
  useAction?: (record: Kinds[K]) => { action: MoreAction | false; dialog: ReactNode }
  /** Content above the timeline. */
  aside?: (record: Kinds[K]) => ReactNode
  isDeletable?: (record: Kinds[K]) => boolean
  onCreated?: (record: Kinds[K]) => void
}

/** Returns the usual page of a kind without states: the form of a new record, or of one with its facts and timeline. */
export function kindPage<K extends ActiveKind, V extends Values>(options: Options<K, V>) {
  const { kind, texts } = options
  return function KindPage({ id }: { id: string }) {
    const query = useRecord(kind, id === "new" ? null : id)
    if (id !== "new")
      return <Loaded query={query}>{(record) => <Existing options={options} record={record} />}</Loaded>
    const page = { title: texts.new, parent: parentOf(kind) }
    return (
      <OnlyFor area={kinds[kind].right.area} scope="write" sentence={texts.onlyFor} {...page}>
        <Page {...page}>
          <NewRecord options={options} />
        </Page>
      </OnlyFor>
    )
  }
}

/** The form of a new record. It is filled from the record that the URL names, if it names one: `?copy={id}`. */
function NewRecord<K extends ActiveKind, V extends Values>({ options }: { options: Options<K, V> }) {
  const [params] = useSearchParams()
  const [count, setCount] = useState(0)
  const wanted = count === 0 ? params.get("copy") : null
  const copied = useRecord(options.kind, wanted)
  // If the record is not found, the form is empty. This needs no error.
  if (wanted && copied.isPending) return null
  return (
    <KindForm
      key={`${count} ${wanted}`}
      options={options}
      record={null}
      copied={(wanted && copied.data) || null}
      startAgain={() => setCount((before) => before + 1)}
    />
  )
}

type Props<K extends ActiveKind, V extends Values> = { options: Options<K, V>; record: Kinds[K] }

function Existing<K extends ActiveKind, V extends Values>({ options, record }: Props<K, V>) {
  const { kind, nameOf, facts, actions, aside, isDeletable = () => true, useAction } = options
  const { id, version } = record
  const may = useMay()
  const { company } = useMe()
  const { path, right } = kinds[kind]
  const own = useAction?.(record)
  const name = nameOf(record)
  const duplicate = useDuplicate(path, id)
  const removal = useDelete({ kind, id, version, name, to: path })
  return (
    <RecordPage
      kind={kind}
      record={record}
      title={name}
      badge={<StatusBadge status={record.isActive ? "active" : "inactive"} />}
      facts={facts(record, company)}
      actions={actions?.(record)}
      more={{
        actions: [
          may(right.area, "write") && duplicate,
          own?.action ?? false,
          may(right.area, "delete") && isDeletable(record) && removal.action,
        ],
        isBusy: removal.isBusy,
      }}
      aside={aside?.(record)}
    >
      <KindForm options={options} record={record} />
      {own?.dialog}
    </RecordPage>
  )
}

type FormProps<K extends ActiveKind, V extends Values> = {
  options: Options<K, V>
  /** The record to edit; null for a new one. */
  record: Kinds[K] | null
  /** The record from which a new one is filled. */
  copied?: Kinds[K] | null
  /** Shows an empty form after "Save and add another". */
  startAgain?: () => void
}

function KindForm<K extends ActiveKind, V extends Values>(props: FormProps<K, V>) {
  const { options, record } = props
  const { kind, texts, fields, hasMainAction = false } = options
  const isReadOnly = !useMay()(kinds[kind].right.area, "write")
  const { state, saveAndAdd } = useKindForm(props)
  return (
    <RecordForm
      state={state}
      isReadOnly={isReadOnly}
      submit={record ? common(($) => $.common.save) : texts.create}
      actions={
        !record && (
          <Button variant="light" disabled={state.isSaving} onClick={saveAndAdd}>
            {common(($) => $.forms.saveAndAdd)}
          </Button>
        )
      }
      isMain={!record || !hasMainAction || state.form.isDirty()}
    >
      {fields(state.form, record, isReadOnly)}
    </RecordForm>
  )
}

function useKindForm<K extends ActiveKind, V extends Values>(props: FormProps<K, V>) {
  const { options, record, copied, startAgain } = props
  const { kind, valuesOf, bodyOf, inCopy, nameOf, savedAs = nameOf, onCreated } = options
  const [, go] = useLocation()
  const { company } = useMe()
  /** True while a record is saved to add another one, and not to open it. */
  const wantsAnother = useRef(false)
  const state = useRecordForm<K, V>({
    kind,
    record,
    valuesOf: (from) => valuesOf(from ?? (copied ? { ...copied, isActive: true, ...inCopy } : null), company),
    ...(bodyOf && { bodyOf }),
    onSaved: (saved) => {
      tellDone(common(($) => $.common.saved, { name: savedAs(saved) }))
      if (record) return
      onCreated?.(saved)
      if (wantsAnother.current) startAgain?.()
      else go(`${kinds[kind].path}/${saved.id}`, { replace: true })
    },
  })
  const saveAs = (isAnotherWanted: boolean) => {
    wantsAnother.current = isAnotherWanted
    return state.save()
  }
  return { state: { ...state, save: () => saveAs(false) }, saveAndAdd: () => void saveAs(true) }
}
