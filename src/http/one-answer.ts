import { nextTurn } from "../lib/turns"

export type FetchHandler = (request: Request) => Response | Promise<Response>

/**
 * Sees to it that a request with a chunked body gets one answer. The parser below us does not know the fields that may
 * follow such a body: it takes them for the beginning of another request, answers that with a 400 of its own, and closes.
 *
 * So an answer waits for the turn after its request: fields that came together with the end of the body have had their
 * 400 by then, and ours is dropped. And it closes the connection: fields that come later find nobody there. What cannot
 * be held from here is an answer too large to be sent at once, of a few megabytes, to whoever sends such fields while it
 * is being received: it breaks off with the text of that 400, short of its announced end.
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
