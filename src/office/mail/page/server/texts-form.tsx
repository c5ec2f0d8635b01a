import { Button, Group, Paper, Select, SimpleGrid, Text, Textarea, TextInput } from "@mantine/core"
import { type RefObject, useRef, useState } from "react"
import { call } from "../../../../console/api/client"
import { useChange } from "../../../../console/api/hooks"
import type { Settings } from "../../../../console/api/types"
import { RecordForm } from "../../../../console/forms/record-form"
import { useRecordForm } from "../../../../console/forms/use-record-form"
import { kindOf } from "../../../../console/kinds"
import { Section } from "../../../../console/parts/page"
import { tellDone, tellError } from "../../../../console/parts/tell"
import { t as common } from "../../../../console/texts"
import { languages, type Language } from "../../../../shared/languages"
import {
  filledIn,
  longestMessage,
  longestSubject,
  type OwnPlaceholder,
  ownPlaceholders,
  placeholders,
  unknownPlaceholders,
} from "../../../../shared/mail"
import type { AnsweredSettings } from "../../../settings/service"
import { t } from "./texts"

/** The title of a kind by its key in the settings: that of sales-orders for salesOrders. Statements are no kind. */
const titleOf = (key: string): string => kindOf(nameOf(key))?.title ?? t(($) => $.statements)

const nameOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** How the company is called in messages, as on the server. */
const companyOf = ({ legalName, companyName, smtp }: AnsweredSettings): string =>
  legalName ?? companyName ?? smtp?.fromName ?? smtp?.from ?? ""

/** The texts of messages: of each kind of document, in each language. */
export function TextsForm({ settings }: { settings: AnsweredSettings }) {
  const kinds = Object.keys(settings.mailTexts)
  const [kind, setKind] = useState(kinds.includes("invoices") ? "invoices" : (kinds[0] ?? ""))
  const [language, setLanguage] = useState<Language>(settings.defaultLanguage)
  const state = useRecordForm({
    kind: "settings",
    path: "/settings",
    record: settings as Settings,
    valuesOf: (from) => ({ mailTexts: from?.mailTexts ?? settings.mailTexts }),
    bodyOf: (values) => values,
    onSaved: () => tellDone(t(($) => $.textsSaved)),
  })
  return (
    <RecordForm
      state={state}
      isMain={state.form.isDirty()}
      actions={<UseDefault kind={kind} language={language} version={settings.version} />}
    >
      <Section title={t(($) => $.texts)}>
        <Text size="sm">{t(($) => $.textsIntro)}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label={t(($) => $.kind)}
            data={kinds.map((value) => ({ value, label: titleOf(value) }))}
            allowDeselect={false}
            value={kind}
            onChange={(value) => value && setKind(value)}
          />
          <Select
            label={t(($) => $.language)}
            data={languages.map((value) => ({ value, label: common(($) => $.values.language[value]) }))}
            allowDeselect={false}
            value={language}
            onChange={(value) => value && setLanguage(value as Language)}
          />
        </SimpleGrid>
        <TextFields
          key={`${kind} ${language}`}
          path={`mailTexts.${kind}.${language}`}
          form={state.form as never}
          hasLink={kindOf(nameOf(kind))?.hasLink ?? false}
          company={companyOf(settings)}
        />
      </Section>
    </RecordForm>
  )
}

type Form = {
  getInputProps: (path: string) => { value?: string; error?: unknown; onChange: (value: unknown) => void }
  setFieldValue: (path: string, value: string) => void
}

type TextProps = { path: string; form: Form; hasLink: boolean; company: string }

function TextFields({ path, form, hasLink, company }: TextProps) {
  const own: readonly OwnPlaceholder[] = hasLink ? ownPlaceholders : []
  const subject = useRef<HTMLInputElement>(null)
  const message = useRef<HTMLTextAreaElement>(null)
  /** The field in which a placeholder is inserted. */
  const [last, setLast] = useState<"subject" | "message">("message")
  const insert = (name: string) => {
    const field = last === "subject" ? subject : message
    insertAt(field, `{${name}}`, (value) => form.setFieldValue(`${path}.${last}`, value))
  }
  const given = {
    subject: form.getInputProps(`${path}.subject`),
    message: form.getInputProps(`${path}.message`),
  }
  return (
    <>
      <TextInput
        ref={subject}
        label={t(($) => $.subject)}
        maxLength={longestSubject}
        {...given.subject}
        error={(given.subject.error as string) || unknownIn(given.subject.value)}
        onFocus={() => setLast("subject")}
      />
      <Textarea
        ref={message}
        label={t(($) => $.message)}
        autosize
        minRows={6}
        maxRows={20}
        maxLength={longestMessage}
        {...given.message}
        error={(given.message.error as string) || unknownIn(given.message.value, own)}
        onFocus={() => setLast("message")}
      />
      <Group gap={6} role="group" aria-label={t(($) => $.insert)}>
        <Text size="sm">{t(($) => $.insert)}:</Text>
        {[...placeholders, ...own].map((name) => (
          <Button key={name} size="compact-xs" variant="default" onClick={() => insert(name)}>
            {t(($) => $.placeholders[name])}
          </Button>
        ))}
      </Group>
      <Preview company={company} subject={given.subject.value ?? ""} message={given.message.value ?? ""} />
    </>
  )
}

function unknownIn(text = "", own: readonly OwnPlaceholder[] = []): string | undefined {
  const [name] = unknownPlaceholders(text, own)
  return name === undefined ? undefined : t(($) => $.unknown, { name: `{${name}}` })
}

/** Inserts a text at the cursor of a field, and leaves the cursor behind it. */
function insertAt(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  text: string,
  onChange: (value: string) => void,
): void {
  const { current } = field
  if (!current) return
  const { value, selectionStart, selectionEnd } = current
  const start = selectionStart ?? value.length
  onChange(value.slice(0, start) + text + value.slice(selectionEnd ?? start))
  requestAnimationFrame(() => {
    current.focus()
    current.setSelectionRange(start + text.length, start + text.length)
  })
}

function Preview({ company, subject, message }: { company: string; subject: string; message: string }) {
  const values = { ...t(($) => $.example, { returnObjects: true }), company }
  return (
    <Paper withBorder p="sm" role="group" aria-label={t(($) => $.preview)}>
      <Text size="xs" c="dimmed">
        {t(($) => $.preview)}
      </Text>
      <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
        {filledIn(subject, values)}
      </Text>
      <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
        {filledIn(message, values)}
      </Text>
    </Paper>
  )
}

/** Sets the text that Kontor comes with. */
function UseDefault({ kind, language, version }: { kind: string; language: Language; version: number }) {
  const change = useChange(() =>
    call<Settings>("PUT", "/settings", { body: { mailTexts: { [kind]: { [language]: null } } }, version }),
  )
  return (
    <Button
      variant="subtle"
      loading={change.isPending}
      onClick={() =>
        change.mutate(undefined, { onSuccess: () => tellDone(t(($) => $.textsSaved)), onError: tellError })
      }
    >
      {t(($) => $.useDefault)}
    </Button>
  )
}
