import { Elysia } from "elysia"
import { readBody } from "../../http/body"
import { callContext } from "../../http/call"
import { ok } from "../../http/envelope"
import { enveloped, operation, ref } from "../../http/operation"
import { readParams } from "../../resource/query"
import type { AuthService } from "./service"

const signedIn = { status: 200, description: "Signed in.", schema: enveloped(ref("SignedIn")) }

/** Signing in. These are open: they are how a credential is got. */
export const authRoutes = (auth: AuthService) =>
  new Elysia()
    .use(callContext)
    .post(
      "/auth/login",
      async ({ call, request }) => {
        readParams(call.query)
        return ok(await auth.login(await readBody(request)))
      },
      { parse: "none", detail: login },
    )
    .post(
      "/setup",
      async ({ call, request }) => {
        readParams(call.query)
        return ok(await auth.setUp(await readBody(request)))
      },
      { parse: "none", detail: setUp },
    )

const login = operation({
  id: "login",
  summary: "Sign in",
  description: "Answers an access token for an hour and a refresh token.",
  tag: "auth",
  open: true,
  body: {
    schema: {
      type: "object",
      required: ["email", "password"],
      properties: { email: { type: "string", format: "email" }, password: { type: "string" } },
      additionalProperties: false,
    },
    example: { email: "admin@example.com", password: "correct horse battery" },
  },
  answers: signedIn,
})

const setUp = operation({
  id: "setUp",
  summary: "Make the first admin",
  description:
    "For whoever holds the link that an empty Kontor prints at its start. Gone once an admin exists.",
  tag: "auth",
  open: true,
  body: {
    schema: {
      type: "object",
      required: ["token", "email", "name", "password"],
      properties: {
        token: { type: "string" },
        email: { type: "string", format: "email" },
        name: { type: "string" },
        password: { type: "string", minLength: 10, maxLength: 256 },
      },
      additionalProperties: false,
    },
    example: {
      token: "from the link",
      email: "admin@example.com",
      name: "Ada Admin",
      password: "correct horse battery",
    },
  },
  answers: signedIn,
  refuses: [404],
})
