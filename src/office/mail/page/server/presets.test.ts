import { describe, expect, test } from "bun:test"
import { presetNames, presetOf, presets, tenantOf, tokenUrlOf } from "./presets"

describe("providers of mail", () => {
  test("each is found by its server and its sign-in", () => {
    for (const name of presetNames) expect(presetOf(presets[name])).toBe(name)
  })

  test("a server with another name or another sign-in is another provider", () => {
    expect(presetOf({ host: "mail.shop.example", auth: "password" })).toBe("other")
    expect(presetOf({ host: "smtp.office365.com", auth: "password" })).toBe("other")
    expect(presetOf({ host: null, auth: "password" })).toBe("other")
  })

  test("the directory of Microsoft is part of the address of the tokens", () => {
    const url = "https://login.microsoftonline.com/shop.example/oauth2/v2.0/token"
    expect(tokenUrlOf(" shop.example ")).toBe(url)
    expect(tenantOf(url)).toBe("shop.example")
    expect(tokenUrlOf("")).toBe("")
    expect(tenantOf("https://login.example.com/shop/token")).toBe("")
    expect(tokenUrlOf("a/b")).toBe("https://login.microsoftonline.com/a%2Fb/oauth2/v2.0/token")
  })
})
