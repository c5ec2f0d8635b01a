import { Paper } from "@mantine/core"
import { Page } from "../../../console/parts/page"
import { t } from "../../../console/texts"
import { LimitsInUse } from "./limits-in-use"

/** How much of the user's limits is used. */
export default function Limits() {
  return (
    <Page title={t(($) => $.menu.limits)}>
      <Paper withBorder p="md" maw={760}>
        <LimitsInUse />
      </Paper>
    </Page>
  )
}
