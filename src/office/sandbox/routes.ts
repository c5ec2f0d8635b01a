import { Type } from "@sinclair/typebox"
import { ok } from "../../core/http/answer/envelope"
import { readJson } from "../../core/http/request/json-body"
import type { Uploaded } from "../../core/http/request/body"
import { checked, handled, type Route } from "../../core/http/route/route"
import { emptyBody } from "../../core/kind/body"
import { readParams } from "../../core/kind/query"
import { adminRights } from "../../shared/rights"
import { clockBody, snapshotBody } from "./model"
import type { Sandbox } from "./service"

/** In bytes. */
const mostFaultBytes = 64 * 1024

const described = {
  may: adminRights.read,
  tag: "sandbox",
  summary: "",
  answer: { status: 200, description: "", schema: Type.Unknown() },
}

/**
 * The controls of a demo. They are not in the API document, so that clients that are generated from a demo fit every
 * server, and other servers do not have these routes.
 */
export function sandboxRoutes(sandbox: Sandbox): Route[] {
  const routes = [
    handled("GET", "/sandbox", { ...described, id: "getSandbox" }, ({ call }) => {
      readParams(call.query)
      return ok(sandbox.show())
    }),
    handled(
      "PUT",
      "/sandbox/clock",
      { ...described, id: "moveClock", body: checked(clockBody) },
      async ({ body }) => ok(await sandbox.moveClock(body)),
    ),
    handled("POST", "/sandbox/reset", { ...described, id: "reset", body: checked(emptyBody) }, async () =>
      ok(await sandbox.reset()),
    ),
    handled(
      "POST",
      "/sandbox/snapshots",
      { ...described, id: "saveSnapshot", body: checked(snapshotBody) },
      async ({ body }) => ok(await sandbox.save(body)),
    ),
    handled(
      "POST",
      "/sandbox/snapshots/:name/restore",
      { ...described, id: "restoreSnapshot", body: checked(emptyBody) },
      async ({ params }) => ok(await sandbox.restore(params.name ?? "")),
    ),
    handled<Uploaded>(
      "PUT",
      "/sandbox/faults",
      {
        ...described,
        id: "setFaults",
        upload: { types: ["application/json"], mostBytes: mostFaultBytes, check() {} },
      },
      ({ body }) => {
        sandbox.faults.set(readJson(body.bytes).value)
        return ok(sandbox.show())
      },
    ),
    handled("DELETE", "/sandbox/faults", { ...described, id: "clearFaults" }, () => {
      sandbox.faults.clear()
      return ok(sandbox.show())
    }),
    handled("GET", "/sandbox/messages", { ...described, id: "listKeptMail" }, ({ call }) => {
      readParams(call.query)
      return ok(sandbox.mail.list())
    }),
  ]
  return routes.map((route) => ({ ...route, isHidden: true }))
}
