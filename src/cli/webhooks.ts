import { UsageError } from "../config"
import type { Writer } from "../core/write/writer"
import { print } from "../core/lib/process/output"
import { Unusable } from "../core/lib/refusal"
import { webhooks, type Delivery, type Webhook } from "../office/webhooks/model"
import type { Services } from "../services"
import { readAction, table, type Command, type Run } from "./command"
import { withServices, listAll } from "./with-services"

/** The actions, and the options of each. */
const actions = { list: [], test: ["allow-private-webhooks"] } as const

export const webhooksCommand: Command = {
  name: "webhooks",
  summary: "List the webhooks, or send a test event to one",
  usage: "list | test ID  [--json]",
  examples: ["kontor webhooks list", "kontor webhooks test whk_01kb2qk3dvb6r8h5m9x4w7z2nc"],
  takes: ["db", "allowPrivateWebhooks"],
  words: 2,
  switches: { json: "Print the result as JSON" },
  async run(run) {
    const action = readAction("webhooks", actions, run)
    const id = run.words[1]
    if ((action === "test") !== (id !== undefined))
      throw new UsageError(
        `"kontor webhooks ${action}" takes ${id ? "no" : "an"} ID. See "kontor webhooks --help".`,
      )
    await withServices(run.config, async (services, writer) => {
      if (action === "list") printAll(await listAll(webhooks, services.webhooks.list, "createdAt"), run)
      else await test(services, writer, id ?? "", run)
    })
  },
}

/** Sends a test event. The command fails if the receiver does not accept it. */
async function test({ webhookSending }: Services, writer: Writer, id: string, { switches }: Run) {
  const delivery = await webhookSending.send(await writer((tx) => webhookSending.orderTest(tx, id)))
  print(switches.json ? JSON.stringify(delivery) : resultOf(delivery))
  if (delivery.status !== "succeeded") throw new Unusable(`The webhook ${id} did not accept the test event.`)
}

const resultOf = ({ responseStatus, response, error, durationMs }: Delivery): string =>
  responseStatus === null
    ? (error ?? "There was no response.")
    : [`The receiver answered ${responseStatus} in ${durationMs} ms.`, response ?? ""].join("\n").trimEnd()

function printAll(all: Webhook[], { switches }: Run): void {
  if (switches.json) return print(JSON.stringify(all))
  const rows = all.map(({ id, url, types, lastSuccessAt, ...state }) => [
    id,
    stateOf(state),
    types.join(","),
    lastSuccessAt ?? "–",
    url,
  ])
  print(table([["ID", "STATE", "TYPES", "LAST SUCCESS", "URL"], ...rows]))
}

const stateOf = ({
  isActive,
  disabledReason,
  pausedReason,
  failingSince,
}: Pick<Webhook, "isActive" | "disabledReason" | "pausedReason" | "failingSince">): string => {
  if (pausedReason) return "paused"
  if (!isActive) return disabledReason ?? "inactive"
  return failingSince === null ? "active" : `failing since ${failingSince.slice(0, 16)}Z`
}
