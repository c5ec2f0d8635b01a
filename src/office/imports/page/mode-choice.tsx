import { Radio, Stack } from "@mantine/core"
import { useState } from "react"
import { t } from "../../../console/texts"
import type { ImportKind, ImportMode } from "./kinds"

const modes: readonly ImportMode[] = ["create", "update", "upsert"]

type ModeProps = {
  of: { kind: ImportKind; mode: ImportMode }
  onChange: (mode: ImportMode) => void
  isBusy: boolean
}

/** What a mode does. Kontor assigns the numbers of customers, so a number cannot create one. */
const meaningOf = (kind: ImportKind, mode: ImportMode): string =>
  kind === "customers" && mode === "upsert"
    ? t(($) => $.imports.upsertCustomers)
    : t(($) => $.imports.modeMeaning[mode])

/** Shows a new choice at once, and the old one again if the file could not be checked. */
export function ModeChoice({ of: { kind, mode }, onChange, isBusy }: ModeProps) {
  const [wanted, setWanted] = useState(mode)
  const choose = (next: string) => {
    const chosen = modes.find((each) => each === next)
    if (!chosen || isBusy) return
    setWanted(chosen)
    onChange(chosen)
  }
  return (
    <Radio.Group label={t(($) => $.imports.modeTitle)} value={isBusy ? wanted : mode} onChange={choose}>
      <Stack gap="xs" mt="xs">
        {modes.map((each) => (
          <Radio
            key={each}
            value={each}
            label={t(($) => $.imports.mode[each])}
            description={meaningOf(kind, each)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
