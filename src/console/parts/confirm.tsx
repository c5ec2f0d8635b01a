import { Button, Group, type MantineSize, Modal, Text, Textarea } from "@mantine/core"
import { useState, useSyncExternalStore, type ReactNode } from "react"
import { t } from "../texts"

export type Question = {
  title: string
  text?: ReactNode
  /** The label of the confirm button. */
  action: string
  /** The label of the cancel button. */
  dismiss?: string
  isDangerous?: boolean
  size?: MantineSize
  /** The label of a second button that confirms as well, in another way. */
  alternative?: string
  /** The label of the reason input. Without it, no reason is requested. */
  reason?: string
}
/** How the user has confirmed: with the second button, if `isAlternative`. */
export type Given = { reason: string; isAlternative: boolean }
type Open = Question & { answer: (given: Given | null) => void }

let open: Open | null = null
const listeners = new Set<() => void>()
const set = (next: Open | null) => {
  open = next
  for (const tell of listeners) tell()
}

/** Asks the user to confirm an action. Returns null if they decline. */
export const confirm = (question: Question): Promise<Given | null> =>
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

/** Closes the question as if the user had declined, for a link in it that leads to another page. */
export const decline = (): void => open?.answer(null)

/** Shows the question above any other dialog. The shell mounts it once. */
export function Confirmations() {
  const question = useOpenQuestion()
  const [reason, setReason] = useState("")
  const answer = (given: Given | null) => {
    question?.answer(given)
    setReason("")
  }
  return (
    <Modal
      opened={question !== null}
      onClose={() => answer(null)}
      title={question?.title}
      size={question?.size}
      centered
      zIndex={300}
    >
      {question?.text && (
        <Text component="div" size="sm" mb="md">
          {question.text}
        </Text>
      )}
      {question?.reason && <Reason label={question.reason} value={reason} onChange={setReason} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => answer(null)}>
          {question?.dismiss ?? t(($) => $.common.cancel)}
        </Button>
        {question?.alternative && (
          <Button
            variant="light"
            color={question.isDangerous ? "red" : undefined}
            onClick={() => answer({ reason: reason.trim(), isAlternative: true })}
          >
            {question.alternative}
          </Button>
        )}
        <Button
          color={question?.isDangerous ? "red" : undefined}
          onClick={() => answer({ reason: reason.trim(), isAlternative: false })}
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
