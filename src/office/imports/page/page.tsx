import { Stack } from "@mantine/core"
import { useState } from "react"
import { useLocation, useSearchParams } from "wouter"
import { OnlyFor } from "../../../console/parts/only-for"
import { Page } from "../../../console/parts/page"
import { t } from "../../../console/texts"
import { CheckStep } from "./check-step"
import { ColumnsStep } from "./columns-step"
import { FileStep } from "./file-step"
import { importKinds, readKind, type ImportKind } from "./kinds"
import { RecentImports } from "./recent"
import { useWizard } from "./use-wizard"

/** Imports records from a file: the file, its columns, a check of all rows, and then the import itself. */
export default function ImportPage() {
  const [params] = useSearchParams()
  const kind = readKind(params.get("kind"))
  const title = t(($) => $.imports.title)
  const { parent } = importKinds[kind]
  return (
    <OnlyFor area="items" scope="write" title={title} parent={parent} sentence={t(($) => $.imports.onlyFor)}>
      <Page title={title} parent={parent}>
        <Stack maw={960}>
          <WizardSteps kind={kind} />
        </Stack>
      </Page>
    </OnlyFor>
  )
}

function WizardSteps({ kind }: { kind: ImportKind }) {
  const [, go] = useLocation()
  const wizard = useWizard(kind)
  const [isFirst, setFirst] = useState(true)
  const { recognized } = wizard.check
  if (wizard.step !== "file" && isFirst) setFirst(false)
  if (wizard.step === "columns" && recognized) return <ColumnsStep wizard={wizard} recognized={recognized} />
  if (wizard.step === "check") return <CheckStep wizard={wizard} />
  const setKind = (next: ImportKind) => go(`/import?kind=${next}`, { replace: true })
  return (
    <>
      <FileStep wizard={wizard} kind={kind} onKind={setKind} isFirst={isFirst} />
      <RecentImports />
    </>
  )
}
