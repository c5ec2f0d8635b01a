import { Alert, Button } from "@mantine/core"
import type { ReactNode } from "react"
import { RecordForm } from "../../../console/forms/record-form"
import type { useStep } from "./use-step"
import { t } from "./texts"

type Props = {
  state: ReturnType<typeof useStep>
  /** Says where the proposals come from. */
  proposed?: string
  children: ReactNode
}

/** The frame of a step: what is proposed in it, its inputs, and the buttons that go on. */
export const StepForm = ({ state, proposed, children }: Props) => (
  <RecordForm
    state={state}
    submit={t(($) => $.saveAndGoOn)}
    actions={
      <Button variant="subtle" disabled={state.isSaving} onClick={() => void state.skip()}>
        {t(($) => $.skip)}
      </Button>
    }
  >
    {state.isProposed && proposed !== undefined && <Alert variant="light">{proposed}</Alert>}
    {children}
  </RecordForm>
)
