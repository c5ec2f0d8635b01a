import { Button } from "@mantine/core"
import { useRef } from "react"
import { maySendTo, type Recipient } from "./recipient"

type Saved = { save: () => Promise<void> }

/** Lets a form that issues a document also send it, by a second button. */
export function useAlsoSend() {
  const isWanted = useRef(false)
  const saveAs = (state: Saved, isSent: boolean): Promise<void> => {
    isWanted.current = isSent
    return state.save()
  }
  return {
    /** The part of the request body that sends the document. */
    part: () => (isWanted.current ? { send: true } : {}),
    of: <S extends Saved>(state: S) => ({
      ...state,
      save: () => saveAs(state, false),
      saveAndSend: () => void saveAs(state, true),
    }),
  }
}

type Props = { recipient: Recipient | undefined; label: string; isBusy: boolean; onClick: () => void }

/** The second button, if the document can be sent. */
export const AlsoSend = ({ recipient, label, isBusy, onClick }: Props) =>
  recipient &&
  maySendTo(recipient) && (
    <Button variant="light" disabled={isBusy} onClick={onClick}>
      {label}
    </Button>
  )
