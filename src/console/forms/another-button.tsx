import { Button } from "@mantine/core"
import { t } from "../texts"

/** Saves a new record and shows an empty form for the next one. */
export const AnotherButton = ({ isSaving, onClick }: { isSaving: boolean; onClick: () => void }) => (
  <Button variant="light" disabled={isSaving} onClick={onClick}>
    {t(($) => $.forms.saveAndAdd)}
  </Button>
)
