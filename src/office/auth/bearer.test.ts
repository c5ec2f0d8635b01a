import { expect, test } from "bun:test"
import { bearerOf, readBearer } from "./authenticator"

const requestWith = (authorization?: string) =>
  new Request("http://localhost/", authorization === undefined ? {} : { headers: { authorization } })

test("The token that is cached for a request is the one in its header.", () => {
  const values = [undefined, "Bearer abc", "bearer  abc", "Bearer", "Bearer a b", "Basic abc", "Bearer xyz"]
  const requests = values.map(requestWith)
  for (const request of [...requests, ...requests.toReversed()])
    for (let i = 0; i < 2; i++) expect(bearerOf(request)).toBe(readBearer(request))
  expect(requests.map(bearerOf)).toEqual([null, "abc", "abc", null, null, null, "xyz"])
})
