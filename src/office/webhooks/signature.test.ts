import { expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { newWebhookSecret, signedHeaders } from "./message"

test("a secret is whsec_ and 32 bytes in base64, and each is new", () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const secret of secrets) {
    expect(secret).toStartWith("whsec_")
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32)
  }
})

test("the signature of a known message is the known one", () => {
  const headers = signedHeaders(["whsec_plJ3nmyCDGBKInavdOK15jsl"], {
    id: "msg_loFOjxBNrRLzqYUf",
    seconds: 1731705121,
    body: '{"event_type":"ping","data":{"success":true}}',
  })
  expect(headers).toEqual({
    "webhook-id": "msg_loFOjxBNrRLzqYUf",
    "webhook-timestamp": "1731705121",
    "webhook-signature": "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
  })
})

test("each secret has its own signature", () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()] as const
  const { "webhook-signature": text } = signedHeaders(secrets, { id: "evt_1", seconds: 5, body: "ü" })
  const wanted = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(6), "base64")
    return `v1,${createHmac("sha256", key).update("evt_1.5.ü").digest("base64")}`
  })
  expect(text).toBe(wanted.join(" "))
})
