import { nextTurn } from "../lib/turns"

export type FetchHandler = (request: Request) => Response | Promise<Response>

/**
 * Ensures that a request with a chunked body gets one response. Bun's HTTP parser does not support trailer fields: it
 * parses them as another request, responds with its own 400 and closes the connection.
 * So a response waits for the next turn of the event loop: when trailer fields arrived together with the end of the
 * body, their 400 has been sent by then and our response is dropped. It also closes the connection, so that trailer
 * fields that arrive later are not parsed. One case remains: a response of several megabytes, to a client that sends
 * trailer fields while it receives the response. It ends early with the text of that 400, shorter than its
 * Content-Length.
 */
export const oneAnswer =
  (answer: FetchHandler): FetchHandler =>
  (request) =>
    request.headers.has("transfer-encoding") ? lastOfItsConnection(request, answer) : answer(request)

async function lastOfItsConnection(request: Request, answer: FetchHandler): Promise<Response> {
  const response = await answer(request)
  await nextTurn()
  response.headers.set("connection", "close")
  return response
}
