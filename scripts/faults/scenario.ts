import type { Client, Found } from "./client"
import { randomFrom } from "./random"
import type { Step } from "./scenario-step"
import { scenarioSteps } from "./scenario-steps"

/**
 * The known records by path: the record, "gone" when it was deleted, or "unread" when it was not read after a write.
 */
export type State = ReadonlyMap<string, Found | "gone" | "unread">

/**
 * The journal of one scenario. `states[k]` is what the file must contain after k acknowledged writes, and `answers[k -
 * 1]` is the ID of the request that was acknowledged last.
 */
export type Scenario = {
  name: string
  states: State[]
  answers: string[]
  /** The write that was sent without a response. It is sent again with the same Idempotency-Key. */
  open: { step: Step; key: string; tries: number } | null
  /** The API keys, by the path of their records. */
  secrets: Map<string, string>
  isOver: boolean
  /** The record in the response to the last write, which the next step uses. */
  last: Found | null
  next: (last: Found | null) => Step | null
}

/** With `sends`, it also sends orders by mail, which older versions cannot. */
export function scenarioOf(seed: number, name: string, shared: string, sends = true): Scenario {
  const steps = scenarioSteps(randomFrom(seed), name, shared, sends)
  return {
    name,
    states: [new Map()],
    answers: [],
    open: null,
    secrets: new Map(),
    isOver: false,
    last: null,
    next(last) {
      const { value, done } = steps.next(last as Found)
      return done ? null : value
    },
  }
}

export const latest = (scenario: Scenario): State => scenario.states.at(-1) as State

/** Fields that change with use. */
const volatileFields = ["lastUsedAt", "lastUsedIp", "key"]

export function stableFields(record: Found): Found {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !volatileFields.includes(name)),
  ) as Found
}

/**
 * Sends the next write of a scenario, or repeats the open one. With its response it is acknowledged and adds a state.
 * Throws when there is no response, or a wrong one. Returns true when the write had already been stored.
 */
export async function advance(scenario: Scenario, client: Client): Promise<boolean> {
  if (!scenario.open) {
    const step = scenario.next(scenario.last)
    if (!step) {
      scenario.isOver = true
      return false
    }
    scenario.open = { step, key: crypto.randomUUID(), tries: 0 }
  }
  const { step, key } = scenario.open
  scenario.open.tries++
  const requestId = crypto.randomUUID()
  const headers = {
    "x-request-id": requestId,
    ...(step.method === "POST" ? { "idempotency-key": key } : {}),
  }
  const { status, headers: answered, body } = await sent(step, client, headers)
  const isRepeatedRemoval = step.method === "DELETE" && status === 404 && scenario.open.tries > 1
  if (status >= 300 && !isRepeatedRemoval) throw new WrongAnswer(step, status, body, answered)
  const state = new Map(latest(scenario))
  for (const path of step.touches ?? []) state.set(path, "unread")
  const record = body?.data as Found | undefined
  if (record && step.record)
    state.set(step.record.endsWith("/") ? step.record + record.id : step.record, stableFields(record))
  for (const path of (record && step.names?.(record)) ?? []) state.set(path, "unread")
  if (record && typeof record.key === "string") scenario.secrets.set(`${step.path}/${record.id}`, record.key)
  scenario.states.push(state)
  scenario.answers.push(requestId)
  scenario.open = null
  if (record) scenario.last = record
  await readAgain(scenario, client)
  return isRepeatedRemoval || answered.get("idempotent-replayed") === "true"
}

const sent = ({ method, path, body }: Step, client: Client, headers: Record<string, string>) =>
  method === "GET" ? client.download(path, headers) : client.call(method, path, body, headers)

/** Reads the other records that the last write changed. */
export async function readAgain(scenario: Scenario, client: Client): Promise<void> {
  const state = latest(scenario) as Map<string, Found | "gone" | "unread">
  for (const [path, known] of state) {
    if (known !== "unread") continue
    const found = await client.find(path)
    state.set(path, found ? stableFields(found) : "gone")
  }
}

/** A response that is not a success. */
export class WrongAnswer extends Error {
  constructor(
    readonly step: Step,
    readonly status: number,
    readonly body: unknown,
    readonly headers: Headers,
  ) {
    super(`${step.method} ${step.path} returned ${status}: ${JSON.stringify(body)}`)
  }
}
