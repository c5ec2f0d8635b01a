import { Button, Group, Modal, Text, Textarea } from "@mantine/core"
import { useState, useSyncExternalStore } from "react"

type Question = {
  title: string
  text?: string
  /** The label of the button that says yes. */
  action: string
  /** The label of the button that says no. */
  dismiss?: string
  isDangerous?: boolean
  /** Asks for a reason, with this label. */
  reason?: string
}
type Open = Question & { answer: (given: { reason: string } | null) => void }

let open: Open | null = null
const listeners = new Set<() => void>()
const set = (next: Open | null) => {
  open = next
  for (const tell of listeners) tell()
}

/** Asks the person to confirm an action that cannot be undone. Null means that they declined. */
export const confirm = (question: Question): Promise<{ reason: string } | null> =>
  new Promise((resolve) => {
    open?.answer(null)
    set({
      isDangerous: true,
      ...question,
      answer: (given) => {
        set(null)
        resolve(given)
      },
    })
  })

/** Shows the question, above any other dialog. The shell has one of these. */
export function Confirmations() {
  const question = useOpenQuestion()
  const [reason, setReason] = useState("")
  const answer = (given: { reason: string } | null) => {
    question?.answer(given)
    setReason("")
  }
  return (
    <Modal
      opened={question !== null}
      onClose={() => answer(null)}
      title={question?.title}
      centered
      zIndex={300}
    >
      {question?.text && (
        <Text size="sm" mb="md">
          {question.text}
        </Text>
      )}
      {question?.reason && <Reason label={question.reason} value={reason} onChange={setReason} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => answer(null)}>
          {question?.dismiss ?? "Cancel"}
        </Button>
        <Button
          color={question?.isDangerous ? "red" : undefined}
          onClick={() => answer({ reason: reason.trim() })}
        >
          {question?.action}
        </Button>
      </Group>
    </Modal>
  )
}

const useOpenQuestion = (): Open | null =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => open,
  )

type ReasonProps = { label: string; value: string; onChange: (value: string) => void }

const Reason = ({ label, value, onChange }: ReasonProps) => (
  <Textarea
    label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    maxLength={500}
    autosize
    minRows={2}
    mb="md"
    data-autofocus
  />
)
