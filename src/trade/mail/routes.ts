import { ref } from "../../core/http/openapi/kind-schemas"
import { post, type Route } from "../../core/http/route/route"
import type { Reading } from "../../core/kind/body"
import type { Resource } from "../../core/kind/define"
import { etagOf } from "../../core/kind/tag"
import { type MailBody, mailBody } from "./body"
import { type DocumentMail, mailSchemas } from "./service"

/** POST /{kind}/{id}/send, for a kind whose documents are sent. */
export const sendRoute = ({ name, noun, title, rights }: Resource, mail: DocumentMail): Route =>
  post<Reading<MailBody>>(
    `/${name}/:id/send`,
    {
      may: rights.write,
      id: `send${title}`,
      tag: name,
      summary: `Send one ${noun} by mail`,
      description:
        "Returns the message, which is sent in the background: `GET /messages/{id}` tells what has become of it. Without `to`, it goes to the customer: an invoice or a credit note to `invoiceEmail`, or else to `email`. `to` and `cc` have at most 10 addresses together. `subject` and `message` may have the placeholders of the setting `mailTexts`, which has those that are used without them. The `pdf` is the one that `GET …/pdf` returns; `xml` is the e-invoice in `format` and `profile`. Without `attach` a message has the `pdf`, and of an issued document with a `buyerReference` that is a valid XRechnung also the `xml`: in this case `profile` is `xrechnung` and `format` is `ubl` unless they are given, else `en16931` and `cii`. API keys and apps send only to the addresses of the customer.",
      names: { id: noun },
      body: {
        ...mailBody,
        /** Created on first use. */
        get schema() {
          return { ...mailBody.schema, $id: mailSchemas.body }
        },
      },
      answer: {
        status: 202,
        description: "The message.",
        schema: ref(mailSchemas.answer),
        headers: ["ETag", "Location"],
      },
      refuses: [404],
    },
    (tx, { params: { id = "" }, body, caller }) => {
      const message = mail.send(tx, { kind: name, id, caller }, body)
      return {
        status: 202,
        headers: { location: `/api/v1/messages/${message.id}`, etag: etagOf(message) },
        data: message,
      }
    },
  )
