import type { Caller } from "../../../core/caller"
import type { Database } from "../../../core/engine/engine"
import type { Subscribe } from "../../../core/engine/others-writes"
import type { Clock } from "../../../core/lib/clock"
import type { Log } from "../../../core/lib/process/log"
import type { Writer } from "../../../core/write/writer"
import type { EventRecords } from "../../events/records"
import type { EventService } from "../../events/service"
import type { Network } from "../addresses"
import { findSending } from "../store"
import type { Bell } from "./bell"
import type { Holds, Pauses } from "./holds"
import type { Progress } from "../progress"
import type { Results } from "./results"
import type { Tidy } from "./tidy"

export type SenderDeps = {
  db: Database
  writer: Writer
  events: Pick<EventService, "read" | "kinds" | "latest" | "oldest">
  records: () => EventRecords
  /** Returns an active user with the present rights; null for one who is disabled. */
  personOf: (user: string) => Caller | null
  subscribe: Subscribe
  network: Network
  /** Business time. Tests replace it. */
  clock: Clock
  /** False when the server was started with --no-sending. */
  isSwitchedOn: boolean
}

type Running = { log: Log; signal: AbortSignal; stop(): void }

export type Sender = SenderDeps & {
  running: Running | null
  /** How far the events of each webhook were sent. What is stored can be behind it. */
  progress: Map<string, Progress>
  /** What is sent now: the first attempts, or the later ones, of a webhook. */
  lanes: Map<string, { done: Promise<void>; bell: Bell }>
  results: Results
  holds: Holds
  tidy: Tidy
  pauses: Pauses
  timer: Timer | undefined
}

export const isSending = ({ db, running }: Sender): boolean =>
  running !== null && findSending(db)?.isPaused !== true
