import { enveloped, operation, ref } from "../../http/operation"

const tag = "auth"
const mail = { type: "string", format: "email" }
const name = { type: "string", minLength: 1, maxLength: 200 }
const secret = { type: "string", format: "password", minLength: 1 }
const password = { ...secret, minLength: 10, maxLength: 256 }
const signedIn = { status: 200, description: "Signed in.", schema: enveloped(ref("SignedIn")) }
const signedOut = { status: 204, description: "Signed out." }

const body = (properties: Record<string, object>, example: object) => ({
  schema: { type: "object", required: Object.keys(properties), properties, additionalProperties: false },
  example,
})

export const login = operation(() => ({
  id: "login",
  summary: "Sign in",
  description:
    "Answers an access token for an hour and a refresh token. After five wrong passwords for an address, further tries wait longer and longer (429).",
  tag,
  open: true,
  body: body(
    { email: mail, password: secret },
    { email: "admin@example.com", password: "correct horse battery" },
  ),
  answers: signedIn,
}))

export const refresh = operation(() => ({
  id: "refresh",
  summary: "Get a new access token",
  description:
    "Each refresh token is good once: the answer holds its successor. Repeating the call within 10 s answers the same successor; later use of an old one ends the session.",
  tag,
  open: true,
  body: body({ refreshToken: secret }, { refreshToken: "from the last answer" }),
  answers: signedIn,
}))

export const setUp = operation(() => ({
  id: "setUp",
  summary: "Make the first admin",
  description:
    "For whoever holds the link that an empty Kontor prints at its start. Gone once an admin exists.",
  tag,
  open: true,
  body: body(
    { token: secret, email: mail, name, password },
    {
      token: "from the link",
      email: "admin@example.com",
      name: "Ada Admin",
      password: "correct horse battery",
    },
  ),
  answers: signedIn,
  refuses: [404],
}))

export const logout = operation(() => ({ id: "logout", summary: "Sign out", tag, answers: signedOut }))

export const logoutAll = operation(() => ({
  id: "logoutAll",
  summary: "Sign out everywhere",
  tag,
  answers: signedOut,
}))

export const changePassword = operation(() => ({
  id: "changePassword",
  summary: "Change one's own password",
  description: "Ends the other sessions of the caller.",
  tag,
  body: body(
    { currentPassword: secret, newPassword: password },
    { currentPassword: "correct horse battery", newPassword: "a better horse battery" },
  ),
  answers: { status: 200, description: "The caller.", schema: enveloped(ref("SignedInUser")) },
}))

export const me = operation(() => ({
  id: "me",
  summary: "Who is calling, and what is left of its limits",
  tag,
  answers: { status: 200, description: "The caller.", schema: enveloped(ref("Me")) },
}))
