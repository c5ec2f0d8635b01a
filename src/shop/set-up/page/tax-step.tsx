import { Alert, Anchor, Radio, Select, Stack, Switch, Text } from "@mantine/core"
import { useState } from "react"
import { Link } from "wouter"
import { call } from "../../../console/api/client"
import type { TaxCode } from "../../../console/api/types"
import { countryName } from "../../../console/forms/address-fields"
import type { Body } from "../../../console/forms/body"
import { useIntentions } from "../../../console/forms/use-record-form"
import { t as common } from "../../../console/texts"
import type { TaxPreset } from "../../../shared/documents/tax-presets"
import { Choices, isChosen, presetsOf, useExisting } from "../../tax-codes/presets"
import { t as taxCodes } from "../../tax-codes/texts"
import { StepForm } from "./step-form"
import { t } from "./texts"
import { type StepProps, useStep } from "./use-step"

/** Where the exemption of the proposals is that of small businesses. */
const withSmallBusinesses = ["DE", "AT"]

/** The tax codes of the country of the company. */
export function TaxStep({ settings }: StepProps) {
  const country = settings.address?.country ?? null
  const presets = presetsOf(country)
  const existing = useExisting()
  const choice = useChoice(presets, existing, settings.defaultTaxCode)
  const createCodes = useCreate(choice, existing)
  const state = useStep({
    step: "taxes",
    settings,
    fields: ["pricesIncludeTax"],
    before: () => createCodes(settings.defaultTaxCode),
  })
  const where = countryName(country)
  return (
    <StepForm state={state}>
      {presets.length === 0 ? (
        <Alert variant="light">
          {where === null ? t(($) => $.noCountry) : t(($) => $.noTaxes, { country: where })}{" "}
          <Anchor component={Link} href="/settings/tax-codes" size="sm">
            {common(($) => $.kinds["tax-codes"].title)}
          </Anchor>
        </Alert>
      ) : (
        <Stack>
          <Text size="sm">{t(($) => $.taxesOf, { country: where ?? "" })}</Text>
          {withSmallBusinesses.includes(country ?? "") && <Kind choice={choice} />}
          <Choices presets={presets} existing={existing} chosen={choice.codes} onChoose={choice.setCodes} />
          <UsualCode choice={choice} />
        </Stack>
      )}
      <Switch
        label={common(($) => $.fields.pricesIncludeTax)}
        description={t(($) => $.pricesHint)}
        {...state.form.getInputProps("pricesIncludeTax", { type: "checkbox" })}
      />
      <Text size="sm" c="dimmed">
        {taxCodes(($) => $.presetsHint)}
      </Text>
    </StepForm>
  )
}

type Choice = ReturnType<typeof useChoice>

/** The codes that are chosen, and the one for new items. */
function useChoice(presets: TaxPreset[], existing: ReadonlyMap<string, string>, stored: string | null) {
  const [isSmall, setSmall] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [usual, setUsual] = useState<string | null>(null)
  const exempt = presets.find(({ category }) => category === "E")
  const first = isSmall && exempt ? [exempt.code] : null
  const chosen = presets.filter(isChosen(codes ?? first, existing))
  const offered = presets.filter((each) => chosen.includes(each) || existing.has(each.code.toLowerCase()))
  const kept = offered.find(({ code }) => stored !== null && existing.get(code.toLowerCase()) === stored)
  const proposed = isSmall ? exempt : (kept ?? offered[0])
  return {
    isSmall,
    /** Another kind of business has other codes. */
    setSmall: (next: boolean) => {
      setSmall(next)
      setCodes(null)
      setUsual(null)
    },
    chosen,
    codes: chosen.map(({ code }) => code),
    setCodes,
    offered,
    usual: (offered.find(({ code }) => code === usual) ?? proposed)?.code ?? null,
    setUsual,
  }
}

/** Creates the chosen codes, all or none, and returns the usual one as a setting. */
function useCreate({ chosen, usual }: Choice, existing: ReadonlyMap<string, string>) {
  const keys = useIntentions()
  return async (stored: string | null): Promise<Body> => {
    const ids = new Map(existing)
    if (chosen.length > 0) {
      const body = { mode: "all", operations: chosen.map((each) => ({ op: "create", body: each })) }
      const { data } = await call<{ results: { data: TaxCode }[] }>("POST", "/tax-codes/batch", {
        body,
        idempotencyKey: keys.of(body),
      })
      for (const { data: created } of data.results) ids.set(created.code.toLowerCase(), created.id)
    }
    const defaultTaxCode = ids.get(usual?.toLowerCase() ?? "")
    return defaultTaxCode === undefined || defaultTaxCode === stored ? {} : { defaultTaxCode }
  }
}

const Kind = ({ choice: { isSmall, setSmall } }: { choice: Choice }) => (
  <Radio.Group
    label={t(($) => $.chargesTax)}
    value={isSmall ? "no" : "yes"}
    onChange={(next) => setSmall(next === "no")}
  >
    <Stack gap="xs" mt="xs">
      <Radio value="yes" label={t(($) => $.chargesTaxYes)} />
      <Radio value="no" label={t(($) => $.chargesTaxNo)} />
    </Stack>
  </Radio.Group>
)

const UsualCode = ({ choice: { offered, usual, setUsual } }: { choice: Choice }) => (
  <Select
    label={common(($) => $.fields.defaultTaxCode)}
    description={t(($) => $.usualHint)}
    data={offered.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` }))}
    value={usual}
    onChange={setUsual}
    allowDeselect={false}
    maw={360}
  />
)
