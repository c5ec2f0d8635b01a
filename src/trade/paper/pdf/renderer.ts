import { gate } from "../../../core/lib/gate"
import { Refusal } from "../../../core/lib/refusal"
import type { PdfAnswer } from "./pdf-worker"
import type { Pdf, PdfJob } from "./render"

/** The worker ends after this time without work, in ms: with its fonts it takes as much memory as the server. */
const idleMillis = 30_000
/** No document takes this long, in ms. */
const longestMillis = 60_000
const longestQueue = 50

/** Draws PDFs in a background thread, one at a time. A client's documents wait for each other, not for all others. */
export function pdfRenderer() {
  const enter = gate({
    atOnce: 1,
    longest: longestQueue,
    message: "Too many PDFs are being created. Try again in a few seconds.",
  })
  let worker: Worker | null = null
  let idle: Timer | undefined

  const end = () => {
    worker?.terminate()
    worker = null
  }

  const run = async (job: PdfJob): Promise<Pdf> => {
    clearTimeout(idle)
    const used = (worker ??= new Worker(new URL("./pdf-worker.ts", import.meta.url).href))
    const answer = await answerOf(used, job)
    if ("pdf" in answer) {
      idle = setTimeout(end, idleMillis)
      idle.unref()
      return answer.pdf
    }
    end()
    throw new Error(`The PDF could not be created: ${answer.error}`)
  }

  return {
    /**
     * Draws a document. `share` is the client that waits; `signal` is aborted when it no longer does. `jobOf` is called
     * when it is its turn, and returns null if there is nothing to draw any more.
     */
    render: (share: string, signal: AbortSignal, jobOf: () => PdfJob | null): Promise<Pdf | null> =>
      enter(share, async () => {
        if (signal.aborted) throw new Refusal("BAD_REQUEST", "The client has disconnected.")
        const job = jobOf()
        return job && run(job)
      }),
  }
}

export type PdfRenderer = ReturnType<typeof pdfRenderer>

/** Sends a job to the worker and waits for its answer. */
async function answerOf(worker: Worker, job: PdfJob): Promise<PdfAnswer> {
  const { promise, resolve } = Promise.withResolvers<PdfAnswer>()
  const timer = setTimeout(() => resolve({ error: "it took too long" }), longestMillis)
  worker.onmessage = ({ data }: MessageEvent<PdfAnswer>) => resolve(data)
  worker.onerror = (event) => resolve({ error: event.message || "the worker failed" })
  worker.postMessage(job)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
