import { expect, test } from "bun:test"
import { responseReader } from "./response"

/** Reads a response that arrives in pieces of a size. */
function read(text: string, size = text.length) {
  const reader = responseReader()
  const bytes = Buffer.from(text)
  let isDone = false
  for (let at = 0; at < bytes.length && !isDone; at += size)
    isDone = reader.push(bytes.subarray(at, at + size))
  return { isDone, received: reader.received() }
}

const plain = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
const chunked =
  "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"

test.each([1, 2, 3, 7, 1_000])("a response is read in pieces of %i bytes", (size) => {
  expect(read(plain, size)).toEqual({ isDone: true, received: { status: 200, text: "hello" } })
  expect(read(chunked, size)).toEqual({ isDone: true, received: { status: 202, text: "abcde" } })
})

test("a response without a length ends with the connection", () => {
  expect(read("HTTP/1.0 500 \r\n\r\nabc")).toEqual({ isDone: false, received: { status: 500, text: "abc" } })
})

test("a response that cannot have a body is complete with its head", () => {
  for (const status of [204, 304])
    expect(read(`HTTP/1.1 ${status} X\r\n\r\n`)).toEqual({ isDone: true, received: { status, text: "" } })
})

test("announcements are skipped", () => {
  const early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n"
  for (const size of [1, 1_000])
    expect(read(early + plain, size).received).toEqual({ status: 200, text: "hello" })
  expect(read(early)).toEqual({ isDone: false, received: null })
})

test("no more than 1 kB is read, however long the body is", () => {
  const long = "x".repeat(100_000)
  for (const size of [100, 200_000])
    for (const head of ["Content-Length: 100000000\r\n", "", "Transfer-Encoding: chunked\r\n"]) {
      const body = head.startsWith("T") ? `ffffff\r\n${long}` : long
      const { isDone, received } = read(`HTTP/1.1 200 OK\r\n${head}\r\n${body}`, size)
      expect(received).toEqual({ status: 200, text: "x".repeat(1_024) })
      expect(isDone).toBeTrue()
    }
  const tiny = read(
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(100_000)}`,
    100,
  )
  expect(tiny.isDone).toBeTrue()
  expect(tiny.received?.text).toBe("x".repeat(1_024))
})

test("control characters and broken text are replaced", () => {
  const reader = responseReader()
  reader.push(
    Buffer.concat([
      Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
      Buffer.from([0, 27, 10, 0xff, 65]),
    ]),
  )
  expect(reader.received()?.text).toBe("\ufffd\ufffd\n\ufffdA")
})

test.each([
  "SSH-2.0-OpenSSH_9\r\n\r\n",
  "HTTP/2 200\r\n\r\n",
  "HTTP/1.1 abc\r\n\r\n",
  `HTTP/1.1 200 OK\r\nX: ${"y".repeat(20_000)}`,
])("%.20j is not a response", (text) => expect(() => read(text)).toThrow("The response"))
