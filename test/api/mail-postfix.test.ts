import { afterAll, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { adminEmail, adminPassword, cleanUp, serve } from "../support/kontor"
import { buyer, company } from "../support/downloads"
import { setMail, settled } from "../support/mail"
import { readMail } from "../support/mail-server"
import { hasPostfix, postfix } from "../support/postfix"
import { trade } from "../support/trade"
import { until } from "../support/until"

afterAll(cleanUp)

test.skipIf(!hasPostfix)(
  "a Factur-X invoice goes through a Postfix of Debian into a mailbox, and is intact",
  async () => {
    const relay = await postfix()
    try {
      const env = { KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword }
      const kontor = await serve({ env: { ...env, NODE_EXTRA_CA_CERTS: relay.certificate } })
      const admin = await signIn(kontor)
      const { currency: _, ...known } = company
      await admin.put("/settings", { ...known, numberFormats: { invoices: "RE/{YYYY}/{#####}" } })
      await setMail(admin, relay.port, {
        host: "localhost",
        security: "starttls",
        from: "laden@shop.test",
        fromName: "Bürobedarf Müller & Söhne",
      })
      const items = [{ item: (await trade(admin).item({ taxRate: 19 })).id, quantity: 1 }]
      const customer = await trade(admin).customer({ ...buyer, email: "kunde@shop.test", language: "de" })
      const invoice = await trade(admin).invoice({ customer: customer.id, items })
      const { id } = (
        await admin.post(`/invoices/${invoice.id}/send`, {
          attach: ["pdf", "xml"],
          subject: "Rechnung {number} für Büromöbel – Größe „XL“ ✓",
          message: "Sehr geehrte Damen und Herren,\n\n.\n..\nFrom me\nÄÖÜß €\n\n{company}",
        })
      ).body.data
      const message = await settled(admin, id)
      expect(message).toMatchObject({ status: "sent", attempts: [{ step: "data", code: 250 }] })
      await until(() => relay.inbox().length === 1)
      const mail = await readMail({ raw: relay.inbox()[0] as Buffer })
      expect(mail).toMatchObject({
        subject: `Rechnung ${invoice.invoiceNumber} für Büromöbel – Größe „XL“ ✓`,
        from: { name: "Bürobedarf Müller & Söhne", address: "laden@shop.test" },
        to: [{ address: "kunde@shop.test" }],
      })
      expect(mail.text?.replaceAll("\r\n", "\n").trim()).toBe(message.message)
      expect(mail.html).toContain("ÄÖÜß €")
      const files = mail.attachments.map(({ filename, content }) => [
        filename,
        Bun.SHA256.hash(new Uint8Array(content as ArrayBuffer), "hex"),
      ])
      expect(files).toEqual(message.attachments.map(({ name, sha256 }: any) => [name, sha256]))
      expect(files.map(([name]) => name)).toEqual([
        `${invoice.invoiceNumber.replaceAll("/", "-")}.pdf`,
        `${invoice.invoiceNumber.replaceAll("/", "-")}.xml`,
      ])
      for (const type of ["pdf", "xml"]) {
        const kept = await fetch(`${kontor.url}/api/v1/invoices/${invoice.id}/${type}`, {
          headers: admin.credential,
        })
        const hash = Bun.SHA256.hash(new Uint8Array(await kept.arrayBuffer()), "hex")
        expect(files.map(([, sha256]) => sha256)).toContain(hash)
      }
      const pdf = Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString("latin1")
      expect(pdf).toContain("factur-x.xml")
      expect((await admin.post("/settings/smtp/test", { to: "x@other.example" })).body.data).toMatchObject({
        ok: true,
      })
    } finally {
      relay.stop()
    }
  },
)
