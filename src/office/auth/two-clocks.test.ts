import { afterEach, expect, mock, spyOn, test } from "bun:test"
import { hasEnded, type Caller } from "../../core/caller"
import { clock } from "../../core/lib/clock"
import { limiter } from "../../core/lib/limiter"
import { Refusal } from "../../core/lib/refusal"
import { accessTokens } from "./tokens"

afterEach(() => mock.restore())

/** Tells what goes on when one of the clocks is a day ahead. */
async function aDayAhead(name: keyof typeof clock) {
  const now = Date.now()
  const plan = { perMinute: 10, perDay: null }
  const [tokens, limits] = [accessTokens("s".repeat(32)), limiter({ find: () => 0 })]
  const token = await tokens.issue("usr_1", "ses_1")
  await tokens.ready(token)
  limits.take("user:usr_1", plan)
  spyOn(clock, name).mockReturnValue(now + 86_400_000)
  const ended = (kind: Caller["kind"]) => hasEnded({ kind, endsAt: now + 3_600_000 } as Caller)
  return {
    isTokenValid: !(tokens.read(token) instanceof Refusal),
    hasSessionEnded: ended("user") || ended("oauthClient"),
    hasKeyEnded: ended("apiKey"),
    requestsLeft: limits.peek("user:usr_1", plan).remaining,
  }
}

test("When business time is a day ahead, API keys expire; tokens and rate limits stay.", async () => {
  expect(await aDayAhead("business")).toEqual({
    isTokenValid: true,
    hasSessionEnded: false,
    hasKeyEnded: true,
    requestsLeft: 9,
  })
})

test("When real time is a day ahead, tokens expire and rate limits begin again; API keys stay.", async () => {
  expect(await aDayAhead("real")).toEqual({
    isTokenValid: false,
    hasSessionEnded: true,
    hasKeyEnded: false,
    requestsLeft: 10,
  })
})
