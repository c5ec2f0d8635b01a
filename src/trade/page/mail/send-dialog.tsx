import { Anchor, Checkbox, Input, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useRef, useState } from "react"
import { call, callForBlob } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { moment } from "../../../console/format"
import { saveFile } from "../../../console/parts/files"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone, tellError } from "../../../console/parts/tell"
import { kinds } from "../../../console/kinds"
import { t as common } from "../../../console/texts"
import { namesLink, withLinkAdded, withLinkAsStored } from "../../../office/mail/page/link-words"
import { type Language, languages } from "../../../shared/languages"
import { longestMessage, longestSubject } from "../../../shared/mail"
import { isLetter, paperError } from "../papers/paper-files"
import { LinkNote } from "./link-note"
import { type Message, type Preview, previewOf } from "./preview"
import type { Sendable } from "./send-action"
import { t } from "./texts"

type Props = Sendable & { preview: Preview; onClose: () => void }

/** Sends a document: the person sees and changes what the message says. Enter in a field sends it. */
export function SendDialog(props: Props) {
  const { number, document, preview, isIssued } = props
  const state = useSendForm(props)
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.sendDocument, { number })}
      state={state}
      submit={t(($) => $.send)}
      onClose={props.onClose}
    >
      {document.lastSentAt && (
        <Text size="sm" c="dimmed">
          {t(($) => $.lastSent, { time: moment(document.lastSentAt) })}
        </Text>
      )}
      <Recipients form={form} hasAddress={preview.hasAddress} customer={document.customerName} />
      {!isLetter(props.kind) && (
        <Select
          label={t(($) => $.language)}
          data={languages.map((value) => ({ value, label: common(($) => $.values.language[value]) }))}
          allowDeselect={false}
          {...form.getInputProps("language")}
          onChange={(value) => value && state.translate(value as Language)}
        />
      )}
      <TextInput
        label={t(($) => $.subject)}
        required
        maxLength={longestSubject}
        {...form.getInputProps("subject")}
      />
      <Textarea
        label={t(($) => $.message)}
        required
        autosize
        minRows={5}
        maxRows={16}
        maxLength={longestMessage}
        {...form.getInputProps("message")}
      />
      {kinds[props.kind].hasLink && (
        <LinkNote kind={props.kind} text={form.values.message} onAdd={() => state.addLink()} />
      )}
      <Attachments {...props} language={form.values.language}>
        {isIssued && (
          <Checkbox label={t(($) => $.withXml)} {...form.getInputProps("withXml", { type: "checkbox" })} />
        )}
      </Attachments>
    </FormDialog>
  )
}

type Values = {
  to: string
  cc: string
  language: Language
  subject: string
  message: string
  withXml: boolean
  /** Whether the typed address is saved on a customer who has none. */
  saves: boolean
}

type RecipientsProps = { form: UseFormReturnType<Values>; hasAddress: boolean; customer: string }

function Recipients({ form, hasAddress, customer }: RecipientsProps) {
  const maySave = useMay()("customers", "write")
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t(($) => $.to)}
          description={t(($) => (hasAddress ? $.toHint : $.noAddress), { customer })}
          required
          data-autofocus
          inputMode="email"
          autoComplete="off"
          {...form.getInputProps("to")}
        />
        <TextInput
          label={t(($) => $.cc)}
          description={"\u00a0"}
          inputMode="email"
          autoComplete="off"
          {...form.getInputProps("cc")}
        />
      </SimpleGrid>
      {!hasAddress && maySave && (
        <Checkbox label={t(($) => $.saveAddress)} {...form.getInputProps("saves", { type: "checkbox" })} />
      )}
    </Stack>
  )
}

/** The files of the message. The PDF opens in a new tab. */
function Attachments({
  kind,
  document,
  number,
  language,
  children,
}: Props & { language: Language; children: React.ReactNode }) {
  const [isBusy, setBusy] = useState(false)
  const file = `${number}.pdf`
  const look = async () => {
    // Browsers allow a new tab only during a click. If one does not, the PDF is saved.
    const tab = window.open()
    setBusy(true)
    try {
      const { blob, name } = await callForBlob("GET", `/${kind}/${document.id}/pdf?language=${language}`)
      if (tab) tab.location.href = URL.createObjectURL(blob)
      else saveFile(blob, name ?? file)
    } catch (error) {
      tab?.close()
      tellError(new Error(paperError(error)))
    }
    setBusy(false)
  }
  return (
    <Input.Wrapper label={t(($) => $.attachments)} labelElement="div">
      <Stack gap="xs" mt={4}>
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="left"
          aria-busy={isBusy}
          onClick={() => !isBusy && void look()}
        >
          {t(($) => $.look, { file })}
        </Anchor>
        {children}
      </Stack>
    </Input.Wrapper>
  )
}

const textOf = (addresses: readonly string[]): string => addresses.join(", ")

function useSendForm({ kind, document, preview, onClose }: Props) {
  const { message, hasAddress } = preview
  const [first] = useState({
    to: textOf(message.to),
    cc: textOf(message.cc),
    language: message.language,
    subject: message.subject,
    message: message.message,
    withXml: message.attachments.some(({ name }) => name.endsWith(".xml")),
    saves: !hasAddress,
  })
  const maySave = useMay()("customers", "write")
  const state = useCreateForm<Message, Values>({
    path: `/${kind}/${document.id}/send`,
    initialValues: first,
    bodyOf: ({ to, cc, language, subject, message, withXml }) => ({
      to: to || null,
      cc: cc || null,
      language,
      subject,
      message: withLinkAsStored(message, kind),
      attach: ["pdf", ...(withXml ? ["xml"] : [])],
    }),
    fieldOf: (field) => (field.startsWith("attach") ? "withXml" : field),
    onCreated: ({ to }) => {
      const queued = t(($) => $.queued, { to: textOf(to) })
      tellDone(queued)
      onClose()
      const [address] = to
      if (!hasAddress && maySave && state.form.values.saves && address)
        void saveAddress(document.customer, address, queued)
    },
  })
  return { ...state, ...useTexts(state.form, kind, document.id, first) }
}

/**
 * Returns functions that change the language, and add the link to the page for the customer. A text that the person has
 * changed stays.
 */
function useTexts(
  form: UseFormReturnType<Values>,
  kind: Sendable["kind"],
  id: string,
  first: Pick<Values, "subject" | "message">,
) {
  const filled = useRef(first)
  const translate = async (language: Language): Promise<void> => {
    form.setFieldValue("language", language)
    try {
      const { message: next } = await previewOf(kind, id, language)
      form.setValues((now) => {
        const before = filled.current
        filled.current = { subject: next.subject, message: next.message }
        if (now.language !== language) return now
        return {
          subject: now.subject === before.subject ? next.subject : now.subject,
          message: now.message === before.message ? next.message : now.message,
        }
      })
    } catch (error) {
      tellError(error)
    }
  }
  /** The usual text has a link since customers have pages. Any other text gets it at its end. */
  const addLink = async (): Promise<void> => {
    await translate(form.getValues().language)
    form.setValues(({ message = "" }) =>
      namesLink(message, kind) ? {} : { message: withLinkAdded(message, kind) },
    )
  }
  return { translate, addLink }
}

/** Saves an address on a customer who has none. The message is on its way already, which the notice goes on to say. */
const saveAddress = (customer: string, email: string, queued: string): Promise<void> =>
  call("PUT", `/customers/${customer}`, { body: { email } }).then(
    () => tellDone(`${queued} ${t(($) => $.addressSaved)}`),
    tellError,
  )
