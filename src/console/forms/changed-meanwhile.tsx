import { Alert, Button, Group, Text } from "@mantine/core"
import { t } from "../texts"
import { mayDiscard } from "./unsaved"

/**
 * Tells that somebody has saved the record that the user edits. It is below the inputs, so that it moves none of them,
 * and at the bottom of the window if the end of the form is below it.
 */
export function ChangedMeanwhile({ onLoad }: { onLoad: (() => void) | null }) {
  if (!onLoad) return null
  const askAndLoad = async () => {
    if (await mayDiscard(t(($) => $.forms.unsavedText))) onLoad()
  }
  return (
    <Alert color="blue" role="status" p="xs" className="changed-meanwhile">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t(($) => $.forms.changedMeanwhile)}</Text>
        <Button size="xs" variant="default" onClick={() => void askAndLoad()}>
          {t(($) => $.forms.loadAgain)}
        </Button>
      </Group>
    </Alert>
  )
}
