import { html, toText, type Html } from "../../../core/lib/html"
import { asDate } from "../../../shared/dates"
import type { Language } from "../../../shared/languages"

/** A file of a message. Its bytes are in memory: nothing is read from the disk or the network. */
export type MailFile = { name: string; type: string; bytes: Uint8Array }

/** A message as it is written in MIME. */
export type Content = {
  /** Becomes the Message-ID, so that each attempt has the same. */
  id: string
  /** A UTC timestamp, in real time. */
  date: string
  from: { name: string | null; address: string }
  replyTo: string | null
  to: readonly string[]
  cc: readonly string[]
  subject: string
  message: string
  language: Language
  /** True for mail that no person has asked for, so that nobody's absence is told to it (RFC 3834). */
  isAutomatic: boolean
  logo: { type: string; bytes: Uint8Array } | null
  company: string
  files: readonly MailFile[]
}

const logoId = "logo"

/** Returns a message in MIME: plain text and simple HTML with the logo inside, and the files. */
export async function compose(content: Content): Promise<Buffer> {
  // Loaded with the first message, so that a server starts sooner.
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer")
  const { id, from, logo, files, language } = content
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1)
  const mail = new MailComposer({
    messageId: `<${id}@${domain}>`,
    date: asDate(content.date),
    from: { name: from.name ?? "", address: from.address },
    ...(content.replyTo ? { replyTo: { name: "", address: content.replyTo } } : {}),
    to: content.to.map(asAddress),
    cc: content.cc.map(asAddress),
    subject: oneLine(content.subject),
    text: content.message,
    html: toText(page(content)),
    headers: {
      "Content-Language": language,
      ...(content.isAutomatic ? { "Auto-Submitted": "auto-generated" } : {}),
    },
    attachments: [
      ...(logo
        ? [
            {
              filename: `logo.${logo.type === "image/png" ? "png" : "jpg"}`,
              cid: `${logoId}@${domain}`,
              contentType: logo.type,
              content: Buffer.from(logo.bytes),
            },
          ]
        : []),
      ...files.map(({ name, type, bytes }) => ({
        filename: fileName(name),
        contentType: type,
        contentDisposition: "attachment",
        content: Buffer.from(bytes),
      })),
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}

const asAddress = (address: string) => ({ name: "", address })

/** A subject has no line breaks and other control characters. Settings and bodies refuse them; this is for older data. */
// eslint-disable-next-line no-control-regex -- these are the characters being removed
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim()

/** A number may contain slashes and other characters that names of files cannot have. */
export const fileName = (name: string): string =>
  // eslint-disable-next-line no-control-regex -- these are the characters being replaced
  name.replace(/[\u0000-\u001f\u007f-\u009f/\\:*?"<>|]+/g, "-").slice(0, 100)

/** The message as HTML. Nothing in it is loaded from elsewhere. */
function page({ subject, message, language, logo, company, from }: Content): Html {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1)
  const paragraphs = message.split(/\n{2,}/).map((text) => html`<p>${lines(text)}</p>`)
  const image = logo
    ? html`<p>
        <img src="cid:${logoId}@${domain}" alt="${company}" style="max-height:64px;max-width:240px" />
      </p>`
    : null
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="font-family:sans-serif;font-size:15px;line-height:1.5;color:#222">
        ${paragraphs}${image}
      </body>
    </html>`
}

const lines = (text: string): Html[] =>
  text.split("\n").map((line, i) => (i === 0 ? html`${line}` : html`<br />${line}`))
