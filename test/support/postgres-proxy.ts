// A proxy in front of a PostgreSQL server, as a program of its own: bun postgres-proxy.ts PORT FILE
// It prints its port. FILE says what happens to the next COMMIT: `answer` passes it on and closes the connection instead
// of answering, `request` closes it towards the client without passing anything on, `silence` stops passing anything on,
// `gone` ends the proxy.
import { readFileSync, writeFileSync } from "node:fs"
import { connect, createServer, type AddressInfo } from "node:net"

const [port, file = ""] = process.argv.slice(2)
const isPassed = "pass"

const server = createServer((client) => {
  const target = connect(Number(port), "127.0.0.1")
  let trouble = isPassed
  client.on("data", (data) => {
    if (data.includes("COMMIT")) trouble = readFileSync(file, "utf8").trim()
    if (trouble === isPassed) return void target.write(data)
    writeFileSync(file, isPassed)
    if (trouble === "gone") process.exit()
    if (trouble === "answer") target.write(data)
    if (trouble === "request") client.destroy()
  })
  target.on("data", (data) => {
    if (trouble === isPassed) client.write(data)
    if (trouble === "answer") client.destroy()
  })
  target.on("close", () => client.destroy())
  client.on("close", () => trouble === isPassed && target.destroy())
  client.on("error", () => {})
  target.on("error", () => {})
})
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port))
