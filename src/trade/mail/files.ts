import type { Writer } from "../../core/write/writer"
import type { Message } from "../../office/mail/model"
import type { StoredFile } from "../../office/mail/store"
import { languages } from "../../shared/languages"
import { type FileDeps, paperJob, pdfOf } from "../paper/files"
import type { Form, Paper } from "../paper/model"
import type { MailedPapers } from "./service"

type Deps = FileDeps & { writer: Writer; papersOf: (kind: string) => MailedPapers }

/** In the queue of the renderer, mail is one client among others. */
const share = "mail"

/** Returns a function that makes a file of a message: a kept form of its document, or the PDF of what was stored. */
export const mailFiles =
  (deps: Deps) =>
  async ({ kind, record }: Message, file: StoredFile, signal: AbortSignal): Promise<Uint8Array> => {
    if (file.bytes) return file.bytes
    if (file.paper) return drawn(deps, file.paper, signal)
    const kept = deps.papers.find(record, file.form as Form)
    if (kept) return kept.bytes
    const language = languages.find((each) => file.form === `pdf-${each}`)
    if (!language) throw new Error(`The paper ${file.form} of ${record} is missing.`)
    const papers = deps.papersOf(kind)
    const { paper, ...loaded } = papers.load(record, language)
    const asker = { share, signal, write: deps.writer }
    const source = {
      loaded: { ...loaded, paper: { ...paper, language } },
      kind: papers.keptAs ?? papers.issued,
    }
    return (await pdfOf(deps, asker, source)).bytes
  }

async function drawn(deps: Deps, packed: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  const paper = JSON.parse(new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(packed)))) as Paper
  const pdf = await deps.renderer.render(share, signal, () => paperJob(deps, paper, null))
  if (!pdf) throw new Error("The PDF was not made.")
  return pdf.bytes
}
