// A certified OpenID provider for the tests of signing in: `node node-provider.mjs ISSUER CALLBACK`. It runs in Node, because it
// does not support other runtimes, and prints a line when it listens.
import { createServer } from "node:http"
import Provider from "oidc-provider"

// It tells how it should be configured in production, also later, when nobody reads that any more.
console.info = console.warn = () => {}

const [, , issuer, callback] = process.argv
const server = createServer()
server.listen(Number(new URL(issuer).port), "127.0.0.1", () => {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "kontor",
        client_secret: "a secret of the client",
        redirect_uris: [callback],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.com`, email_verified: true, name: `Person ${sub}` }),
    }),
    issueRefreshToken: () => true,
    cookies: { keys: ["only for tests"] },
  })
  server.on("request", provider.callback())
  process.stdout.write(`${issuer}\n`)
})
// It ends with the test, however that ends.
process.stdin.resume().on("end", () => process.exit(0))
