import { Alert, Button, Group, List, Text, TextInput, VisuallyHidden } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { FormEvent } from "react"
import { useState } from "react"
import { call } from "../../../../console/api/client"
import { placeError, useFormError } from "../../../../console/forms/field-errors"
import { useAttempt } from "../../../../console/forms/use-record-form"
import { ErrorAlert } from "../../../../console/parts/error-alert"
import { IconAlertTriangle, IconCircle, IconCircleCheck } from "../../../../console/parts/icons"
import { Section } from "../../../../console/parts/page"
import type { MailTest } from "../../model"
import { reasonInWords } from "../reasons"
import { t as mailTexts } from "../texts"
import { shownSteps, type ShownStep } from "./steps"
import { t } from "./texts"

/** Sends a test message with the saved settings, and shows how far it came in the words of the server. */
export function TestMessage({ email, isSaved }: { email: string; isSaved: boolean }) {
  const { form, error, result, isBusy, submit } = useTest(email)
  return (
    <Section title={t(($) => $.test)}>
      <Text size="sm">{t(($) => $.testText)}</Text>
      <form onSubmit={submit} noValidate>
        <ErrorAlert message={error} />
        <Group align="end" gap="sm">
          <TextInput
            label={t(($) => $.testTo)}
            type="email"
            required
            flex={1}
            miw={220}
            {...form.getInputProps("to")}
          />
          <Button type="submit" variant="default" loading={isBusy} disabled={!isSaved}>
            {t(($) => $.sendTest)}
          </Button>
        </Group>
      </form>
      {!isSaved && (
        <Text size="sm" c="dimmed">
          {t(($) => $.saveFirst)}
        </Text>
      )}
      <div aria-live="polite">{result && <Result result={result} />}</div>
    </Section>
  )
}

function useTest(email: string) {
  const form = useForm({ initialValues: { to: email } })
  const [error, setError] = useFormError(form.values)
  const [result, setResult] = useState<MailTest | null>(null)
  const { run, isSaving } = useAttempt()
  const send = async () => {
    form.clearErrors()
    setError(null)
    setResult(null)
    try {
      const { data } = await call<MailTest>("POST", "/settings/smtp/test", { body: { to: form.values.to } })
      setResult(data)
    } catch (error) {
      setError(placeError(form, error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    void run(send)
  }
  return { form, error, result, isBusy: isSaving, submit }
}

const Result = ({ result }: { result: MailTest }) => (
  <Alert color={result.ok ? "teal" : "red"} title={t(($) => (result.ok ? $.testOk : $.testFailed))}>
    <List size="sm" spacing={6} listStyleType="none">
      {shownSteps(result).map((step) => (
        <Step key={step.step} {...step} />
      ))}
    </List>
  </Alert>
)

const icons = { reached: IconCircleCheck, stopped: IconAlertTriangle, notReached: IconCircle }
const colours = {
  reached: "var(--mantine-color-teal-7)",
  stopped: "var(--mantine-color-error)",
  notReached: "var(--mantine-color-dimmed)",
}

function Step({ step, state, said }: ShownStep) {
  const Icon = icons[state]
  return (
    <List.Item icon={<Icon size={18} color={colours[state]} aria-hidden />}>
      <Text
        size="sm"
        fw={state === "stopped" ? 600 : undefined}
        c={state === "notReached" ? "dimmed" : undefined}
      >
        {mailTexts(($) => $.steps[step])} <VisuallyHidden>({t(($) => $[state])})</VisuallyHidden>
      </Text>
      {said.map(({ code, text }) => (
        <Text key={text} size="xs" style={{ overflowWrap: "anywhere" }}>
          {code === null ? reasonInWords(text) : text}
        </Text>
      ))}
    </List.Item>
  )
}
