import { Alert, Badge, Button, Group, Stack, Text } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../../console/api/client"
import { useChange, useRead } from "../../../console/api/hooks"
import { moment } from "../../../console/format"
import { Loaded } from "../../../console/parts/page"
import { tellDone, tellError } from "../../../console/parts/tell"
import type { Factor, Factors, Session } from "../model"
import { AddPasskey, AddTotp, NewCodes, RecoveryCodes, RemoveFactor } from "./dialogs"
import { t } from "./texts"

/** What is open, with the factor that it is about. */
type Open = "totp" | "passkey" | "codes" | Factor | { codes: string[] }

/** The second factors of the user. */
export function SecondFactor() {
  const query = useRead<Factors>("/auth/factors")
  const client = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const show = ({ recoveryCodes }: { recoveryCodes: string[] }) => setOpen({ codes: recoveryCodes })
  /** The rights of the user may have changed too. Not before the codes were shown: the pages change then. */
  const finish = () => {
    close()
    void client.invalidateQueries()
  }
  return (
    <Loaded query={query}>
      {(all) => (
        <>
          {all.isRequired && all.factors.length === 0 && (
            <Alert color="orange" role="alert">
              {t(($) => $.required)}
            </Alert>
          )}
          <Text size="sm">{t(($) => $.intro)}</Text>
          <FactorList of={all} onRemove={setOpen} onRenew={() => setOpen("codes")} />
          <Group>
            <Button variant="default" onClick={() => setOpen("totp")}>
              {t(($) => $.addTotp)}
            </Button>
            {all.offersPasskeys && "PublicKeyCredential" in window && (
              <Button variant="default" onClick={() => setOpen("passkey")}>
                {t(($) => $.addPasskey)}
              </Button>
            )}
          </Group>
          {!all.offersPasskeys && (
            <Text size="sm" c="dimmed">
              {t(($) => $.noPasskeys)}
            </Text>
          )}
          {open === "totp" && <AddTotp onClose={close} onAdded={show} />}
          {open === "passkey" && <AddPasskey onClose={close} onAdded={show} />}
          {open === "codes" && <NewCodes onClose={close} onMade={show} />}
          {open !== null && typeof open === "object" && "id" in open && (
            <RemoveFactor factor={open} onClose={close} onRemoved={finish} />
          )}
          {open !== null && typeof open === "object" && "codes" in open && (
            <RecoveryCodes codes={open.codes} onClose={finish} />
          )}
        </>
      )}
    </Loaded>
  )
}

type ListProps = { of: Factors; onRemove: (factor: Factor) => void; onRenew: () => void }

function FactorList({ of: { factors, recoveryCodesLeft }, onRemove, onRenew }: ListProps) {
  if (factors.length === 0) return <Text size="sm">{t(($) => $.none)}</Text>
  return (
    <Stack gap="xs">
      {factors.map((factor) => (
        <Group key={factor.id} justify="space-between" wrap="nowrap">
          <div>
            <Text fw={600} size="sm" style={{ overflowWrap: "anywhere" }}>
              {factor.name}
            </Text>
            <Text size="sm" c="dimmed">
              {t(($) => $[factor.type])} ·{" "}
              {factor.lastUsedAt === null
                ? t(($) => $.neverUsed)
                : t(($) => $.used, { time: moment(factor.lastUsedAt) })}
            </Text>
          </div>
          <Button
            variant="default"
            size="xs"
            aria-label={t(($) => $.removeNamed, { name: factor.name })}
            onClick={() => onRemove(factor)}
          >
            {t(($) => $.remove)}
          </Button>
        </Group>
      ))}
      <Group justify="space-between">
        <Text size="sm">{t(($) => $.codesLeft, { count: recoveryCodesLeft })}</Text>
        <Button variant="default" size="xs" onClick={onRenew}>
          {t(($) => $.newCodes)}
        </Button>
      </Group>
    </Stack>
  )
}

/** Where the user is signed in. */
export function Sessions() {
  const query = useRead<Session[]>("/auth/sessions")
  return (
    <Loaded query={query}>
      {(sessions) => (
        <Stack gap="xs">
          {sessions.map((session) => (
            <Device key={session.id} of={session} />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

function Device({ of: { id, isCurrent, ip, userAgent, createdAt, lastUsedAt } }: { of: Session }) {
  const end = useChange(() => call("DELETE", `/auth/sessions/${id}`))
  const name = deviceOf(userAgent) ?? t(($) => $.unknownDevice)
  const device = ip === null ? name : t(($) => $.from, { device: name, ip })
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
          {device}
        </Text>
        <Text size="sm" c="dimmed">
          {t(($) => $.since, { since: moment(createdAt), last: moment(lastUsedAt) })}
        </Text>
      </div>
      {isCurrent ? (
        <Badge variant="light" tt="none">
          {t(($) => $.current)}
        </Badge>
      ) : (
        <Button
          variant="default"
          size="xs"
          aria-label={t(($) => $.endNamed, { device })}
          loading={end.isPending}
          onClick={() =>
            end.mutate(undefined, { onSuccess: () => tellDone(t(($) => $.ended)), onError: tellError })
          }
        >
          {t(($) => $.end)}
        </Button>
      )}
    </Group>
  )
}

const browsers = ["Edg", "OPR", "Firefox", "Chrome", "Safari"]
const browserNames: Record<string, string> = { Edg: "Edge", OPR: "Opera" }
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
]

/** Browser and system in words. Of a program, the first word of what it says. */
function deviceOf(userAgent: string | null): string | null {
  if (userAgent === null) return null
  const browser = browsers.find((each) => userAgent.includes(`${each}/`))
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  const known = browser && (browserNames[browser] ?? browser)
  return [known ?? userAgent.split(/[ /]/)[0], system].filter(Boolean).join(", ")
}
