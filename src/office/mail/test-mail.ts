import { Refusal } from "../../core/lib/refusal"
import { real } from "../../core/lib/clock"
import { newId } from "../../core/lib/id"
import type { Language } from "../../shared/languages"
import type { Network } from "../webhooks/addresses"
import type { MailTest } from "./model"
import { compose } from "./transport/compose"
import type { deliver, Timeouts } from "./transport/deliver"
import type { AccessTokens } from "./transport/oauth"
import type { MailServer } from "./transport/server"

/** A person waits for the result. In milliseconds. */
const timeouts: Timeouts = { connect: 5_000, greeting: 10_000, command: 15_000, end: 30_000 }

const texts: Record<Language, { subject: string; message: string }> = {
  en: {
    subject: "Test message from Kontor",
    message: "Kontor can send mail with the settings of this server.",
  },
  de: {
    subject: "Testnachricht von Kontor",
    message: "Kontor kann mit den Einstellungen dieses Servers E-Mails versenden.",
  },
  fr: {
    subject: "Message d’essai de Kontor",
    message: "Kontor peut envoyer du courrier avec les réglages de ce serveur.",
  },
}

export type TestDeps = {
  network: Network
  tokens: AccessTokens
  isSwitchedOn: boolean
  deliver: typeof deliver
  company: () => string
  language: () => Language
}

/** Sends a test message now, and tells how far it came. It is not stored. */
export async function sendTest(
  { network, tokens, deliver: hand, company, language }: TestDeps,
  server: MailServer,
  to: string,
  signal: AbortSignal,
): Promise<MailTest> {
  const used = language()
  const bytes = await compose({
    id: newId("tst", real.now()),
    date: real.now(),
    from: { name: server.fromName ?? company(), address: server.from },
    replyTo: server.replyTo,
    to: [to],
    cc: [],
    ...texts[used],
    language: used,
    isAutomatic: false,
    logo: null,
    company: company(),
    files: [],
  })
  const outcome = await hand(
    server,
    { from: server.from, to: [to], bytes },
    { network, tokens, signal, beforeEnd: async () => true, timeouts },
  )
  if (outcome.result === "stopped") throw new Refusal("SERVICE_UNAVAILABLE", "The test was given up.")
  return { ok: outcome.result === "sent", steps: outcome.steps }
}
