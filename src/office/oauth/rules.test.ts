import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { roles, scopes, scopesOf, type Scope } from "../../shared/rights"
import { isChallenge, provesChallenge, readScopes, scopesWithin } from "./rules"

const someScopes = fc.subarray([...scopes])

describe("The scopes of a request", () => {
  test("A request without scopes is for read, or for all scopes of a client without read.", () => {
    for (const text of [null, "", "   "]) {
      expect(readScopes(text, ["write", "read"])).toEqual(["read"])
      expect(readScopes(text, ["delete", "write"])).toEqual(["delete", "write"])
      expect(readScopes(text, [])).toEqual([])
    }
  })

  test("Each scope is returned once, in the order of the table, for any order and any spaces in the request.", () => {
    fc.assert(
      fc.property(someScopes, fc.array(fc.nat(3)), (client, picks) => {
        const named = picks.flatMap((i) => client[i % client.length] ?? [])
        fc.pre(named.length > 0)
        const found = readScopes(` ${named.join("  ")} `, client)
        expect(found).toEqual(scopes.filter((scope) => named.includes(scope)))
      }),
    )
  })

  test("One scope that the client does not have refuses all of them.", () => {
    fc.assert(
      fc.property(someScopes, someScopes, (client, named) => {
        fc.pre(named.length > 0)
        const isWithin = named.every((scope) => client.includes(scope))
        expect(readScopes(named.join(" "), client) !== null).toBe(isWithin)
      }),
    )
  })

  test.each(["Read", "read,write", "read\twrite", "read\n", "constructor", "__proto__", "length", "0"])(
    "%p names no scope.",
    (text) => {
      expect(readScopes(text, scopes)).toBeNull()
    },
  )

  test("The client's own list is not returned, so that nobody changes it by accident.", () => {
    const client: Scope[] = ["write"]
    readScopes(null, client)?.push("admin")
    expect(client).toEqual(["write"])
  })
})

test("A user grants exactly the requested scopes that their role has.", () => {
  fc.assert(
    fc.property(someScopes, fc.constantFrom(...roles), (asked, role) => {
      const granted = scopesWithin(asked, role)
      for (const scope of scopes)
        expect(granted.includes(scope)).toBe(asked.includes(scope) && scopesOf(role).includes(scope))
    }),
  )
})

describe("The proof of an authorization code", () => {
  // The example of RFC 7636, appendix B.
  const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  const challengeOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64url")

  test("The example of the RFC passes.", () => {
    expect(isChallenge(challenge)).toBeTrue()
    expect(provesChallenge(verifier, challenge)).toBeTrue()
  })

  test("The challenge itself proves nothing: the method plain is not accepted.", () => {
    expect(provesChallenge(challenge, challenge)).toBeFalse()
    expect(provesChallenge(verifier, verifier)).toBeFalse()
  })

  test.each([
    [42, false],
    [43, true],
    [128, true],
    [129, false],
  ])("A verifier of %p characters is accepted: %p.", (length, isAccepted) => {
    const text = "a".repeat(length)
    expect(provesChallenge(text, challengeOf(text))).toBe(isAccepted)
  })

  test("A verifier with any other character is refused, although its digest is the challenge.", () => {
    for (const other of [" ", "+", "/", "=", "%", "\n", "ä", "\0"])
      for (const text of [verifier + other, other + verifier])
        expect(provesChallenge(text, challengeOf(text))).toBeFalse()
  })

  test("A challenge is 43 characters of base64url without padding.", () => {
    for (const text of [
      "",
      challenge.slice(1),
      `${challenge}=`,
      `${challenge}\n`,
      challenge.replace("-", "+"),
    ])
      expect(isChallenge(text)).toBeFalse()
  })
})
