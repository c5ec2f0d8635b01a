import { Alert, Text } from "@mantine/core"
import { number } from "../../../../console/format"
import { t } from "../../../../console/texts"
import type { CountDraft } from "./draft"

type Props = { draft: CountDraft; onDismissed: () => void }

/** The codes that were scanned but not counted, until they are dismissed. Screen readers announce each new one. */
export const MissedCodes = ({ draft, onDismissed }: Props) => (
  <div role="status">
    {draft.draft.missed.length > 0 && (
      <Alert
        color="yellow"
        role="group"
        title={t(($) => $.stockCount.missed)}
        aria-label={t(($) => $.stockCount.missed)}
        withCloseButton
        closeButtonLabel={t(($) => $.stockCount.dismissMissed)}
        onClose={() => {
          draft.dismissMissed()
          onDismissed()
        }}
      >
        {draft.draft.missed.map(({ code, times }) => (
          <Text key={code} size="sm" style={{ overflowWrap: "anywhere" }}>
            {times === 1 ? code : t(($) => $.stockCount.missedTimes, { code, shown: number(times) })}
          </Text>
        ))}
      </Alert>
    )}
  </div>
)
