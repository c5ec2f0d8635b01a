import { expect } from "bun:test"
import type { Api } from "./api"
import { until } from "./until"

/** Sets the server that sends mail: one on this machine, without encryption. */
export async function setMail(admin: Api, port: number, more: object = {}): Promise<void> {
  const smtp = {
    host: "127.0.0.1",
    port,
    security: "none",
    auth: "none",
    from: "shop@shop.example",
    perMinute: 1_000,
    ...more,
  }
  expect(await admin.put("/settings", { smtp })).toMatchObject({ status: 200 })
}

/** Waits until a message has one of these statuses, and returns it. */
export async function settled(
  api: Api,
  id: string,
  statuses: readonly string[] = ["sent", "failed", "uncertain", "cancelled"],
): Promise<any> {
  let message: any
  await until(async () => {
    message = (await api.get(`/messages/${id}`)).body.data
    return statuses.includes(message.status)
  })
  return message
}

/** Waits until a message was tried a number of times, and returns it. */
export async function tried(api: Api, id: string, times: number): Promise<any> {
  let message: any
  await until(async () => {
    message = (await api.get(`/messages/${id}`)).body.data
    return message.attempts.length >= times && message.status !== "sending"
  })
  return message
}
