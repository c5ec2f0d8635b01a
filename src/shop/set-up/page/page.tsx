import { Anchor, Stack, Text, Title } from "@mantine/core"
import { type ComponentType, useEffect, useRef } from "react"
import { Link, Redirect } from "wouter"
import { useRead } from "../../../console/api/hooks"
import type { Settings } from "../../../console/api/types"
import { AdminOnly, Loaded, Page } from "../../../console/parts/page"
import { number } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { type SetUpStep, setUpSteps } from "../../../shared/set-up"
import { CompanyStep } from "./company-step"
import { DocumentStep, LogoStep, NumberStep } from "./paper-steps"
import { TaxStep } from "./tax-step"
import { t } from "./texts"
import { pathOf, stepOf, type StepProps } from "./use-step"

/** Sets up a new shop, step by step. Each step is stored when the user goes on, so that the rest can be done later. */
export default function SetUp({ step }: { step?: string }) {
  return (
    <AdminOnly title={t(($) => $.title)}>
      <Steps named={step} />
    </AdminOnly>
  )
}

const forms: Record<SetUpStep, ComponentType<StepProps>> = {
  company: CompanyStep,
  taxes: TaxStep,
  numbers: NumberStep,
  documents: DocumentStep,
  logo: LogoStep,
}

function Steps({ named }: { named: string | undefined }) {
  const query = useRead<Settings>("/settings")
  return (
    <Page
      title={t(($) => $.title)}
      actions={
        <Anchor component={Link} href="/" size="sm">
          {t(($) => $.later)}
        </Anchor>
      }
    >
      <Loaded query={query}>
        {(settings) => {
          const step = stepOf(named, settings)
          if (named !== step) return <Redirect to={pathOf(step)} replace />
          const Form = forms[step]
          return (
            <Stack maw={760}>
              <Overview current={step} />
              <Heading step={step} />
              <Form key={step} settings={settings} />
            </Stack>
          )
        }}
      </Loaded>
    </Page>
  )
}

const nameOf = (step: SetUpStep): string => common(($) => $.values.setUpStep[step])

/** All steps. Each can be opened again. */
const Overview = ({ current }: { current: SetUpStep }) => (
  <nav aria-label={t(($) => $.steps)}>
    <ol className="set-up-steps">
      {setUpSteps.map((step) => (
        <li key={step}>
          <Anchor
            component={Link}
            href={pathOf(step)}
            size="sm"
            fw={step === current ? 600 : 400}
            aria-current={step === current ? "step" : undefined}
          >
            {nameOf(step)}
          </Anchor>
        </li>
      ))}
    </ol>
  </nav>
)

/** The heading of a step. It gets the focus, so that a screen reader reads the step from there. */
function Heading({ step }: { step: SetUpStep }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [step])
  return (
    <div>
      <Text size="xs" c="dimmed">
        {t(($) => $.stepOf, {
          step: number(setUpSteps.indexOf(step) + 1),
          steps: number(setUpSteps.length),
        })}
      </Text>
      <Title order={2} size="h3" ref={heading} tabIndex={-1}>
        {t(($) => $.heading[step])}
      </Title>
    </div>
  )
}
