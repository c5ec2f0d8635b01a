import { Alert, Button, Group, Text } from "@mantine/core"
import { t } from "../texts"
import { mayDiscard } from "./unsaved"

/**
 * Tells that somebody has saved the record that the user edits. It is below the inputs, so that it moves none of them.
 */
export function ChangedMeanwhile({ onLoad }: { onLoad: () => void }) {
  const askAndLoad = async () => {
    if (await mayDiscard(t(($) => $.forms.unsavedText))) onLoad()
  }
  return (
    <Alert color="blue" role="status" p="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t(($) => $.forms.changedMeanwhile)}</Text>
        <Button size="xs" variant="default" onClick={() => void askAndLoad()}>
          {t(($) => $.forms.loadAgain)}
        </Button>
      </Group>
    </Alert>
  )
}
