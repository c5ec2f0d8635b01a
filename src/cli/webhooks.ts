import type { Writer } from "../core/write/writer"
import { print } from "../core/lib/process/output"
import { Unusable } from "../core/lib/refusal"
import { webhooks, type Delivery, type Webhook } from "../office/webhooks/model"
import type { Services } from "../services"
import { printAll, readIdAction, type Command, type Run } from "./command"
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
    const { action, id } = readIdAction("webhooks", actions, ["test"], run)
    await withServices(run.config, async (services, writer) => {
      if (action === "test") return test(services, writer, id, run)
      printAll(await listAll(webhooks, services.webhooks.all, "createdAt"), run, titles, rowOf)
    })
  },
}

/** Sends a test event. The command fails if the receiver does not accept it. */
async function test({ webhookSending }: Services, writer: Writer, id: string, { switches }: Run) {
  const delivery = await webhookSending.send(await writer((tx) => webhookSending.orderTest(tx, id, null)))
  print(switches.json ? JSON.stringify(delivery) : resultOf(delivery))
  if (delivery.status !== "succeeded") throw new Unusable(`The webhook ${id} did not accept the test event.`)
}

const resultOf = ({ responseStatus, response, error, durationMs }: Delivery): string =>
  responseStatus === null
    ? (error ?? "There was no response.")
    : [`The receiver answered ${responseStatus} in ${durationMs} ms.`, response ?? ""].join("\n").trimEnd()

const titles = ["ID", "STATE", "TYPES", "LAST SUCCESS", "URL"]
const rowOf = ({ id, url, types, lastSuccessAt, ...state }: Webhook): string[] => [
  id,
  stateOf(state),
  types.join(","),
  lastSuccessAt ?? "–",
  url,
]

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
