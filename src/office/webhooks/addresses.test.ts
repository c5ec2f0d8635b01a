import { describe, expect, test } from "bun:test"
import { networks } from "../../core/http/request/address"
import { errorOfAddresses, errorOfUrl, hostOf, isPublic, knownAddress } from "./addresses"

const closed = [
  ..."0.0.0.0 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255".split(" "),
  ..."168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1".split(
    " ",
  ),
  ..."198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1".split(" "),
  ..."255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1".split(" "),
  ..."0:0:0:0:0:ffff:a9fe:a9fe ::FFFF:192.168.1.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1".split(" "),
  ..."64:ff9b:1::1 ::ffff:0:127.0.0.1 100::1 2001::1 2001:0:7f00:1:: 2001:db8::1 2002:7f00:1::".split(" "),
  ..."2002:a00:1::1 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1".split(" "),
  ..."localhost 1.2.3 127.1 2130706433 0x7f000001".split(" "),
]

const open =
  "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1111 2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::808:808".split(
    " ",
  )

describe("An address", () => {
  test.each(closed)("%s is not on the internet", (address) => expect(isPublic(address)).toBeFalse())
  test.each(open)("%s is on the internet", (address) => expect(isPublic(address)).toBeTrue())
})

describe("A name", () => {
  const inside = "localhost LOCALHOST localhost. a.localhost a.b.localhost. metadata.google.internal".split(
    " ",
  )
  test.each(inside)("%s leads to a closed address without being resolved", (name) => {
    const address = knownAddress(name)
    expect(address !== null && !isPublic(address)).toBeTrue()
  })
  test.each(["localhost.example", "mylocalhost", "google.internal", "shop.example"])(
    "%s must be resolved",
    (name) => expect(knownAddress(name)).toBeNull(),
  )
})

describe("The addresses of a URL", () => {
  const https = new URL("https://shop.example/")
  const http = new URL("http://shop.example/")
  const allowed = networks(["10.1.0.0/16", "fd00::/8"])

  test("All must be on the internet or in an allowed network.", () => {
    expect(errorOfAddresses(https, ["8.8.8.8", "2606:4700::1111"], null)).toBeNull()
    expect(errorOfAddresses(https, ["8.8.8.8", "10.1.2.3"], null)).toContain("private")
    expect(errorOfAddresses(https, ["8.8.8.8", "10.1.2.3", "fd00::1"], allowed)).toBeNull()
    expect(errorOfAddresses(https, ["10.1.2.3", "10.2.2.3"], allowed)).toContain("private")
    expect(errorOfAddresses(https, ["::ffff:10.1.2.3"], allowed)).toBeNull()
    expect(errorOfAddresses(https, ["fe80::1%eth0"], allowed)).toContain("private")
  })

  test("Without https, all must be in an allowed network.", () => {
    expect(errorOfAddresses(http, ["8.8.8.8"], null)).toContain("https")
    expect(errorOfAddresses(http, ["8.8.8.8"], allowed)).toContain("https")
    expect(errorOfAddresses(http, ["10.1.2.3", "8.8.8.8"], allowed)).toContain("https")
    expect(errorOfAddresses(http, ["10.1.2.3"], allowed)).toBeNull()
    expect(errorOfAddresses(http, [], null)).toContain("https")
  })
})

describe("A URL", () => {
  const written = [
    ..."https://2130706433/ https://0177.0.0.1/ https://0x7f.1/ https://127.1/ https://127.0.0.1./".split(
      " ",
    ),
    ..."https://0x7f000001/ https://017700000001/ https://①②⑦.0.0.1/ https://[::ffff:127.0.0.1]/".split(" "),
    ..."https://[0:0:0:0:0:ffff:7f00:1]/ https://0/ https://[::]/".split(" "),
  ]
  test.each(written)("%s leads to this machine, and is refused", (text) => {
    expect(errorOfUrl(text)).toBeNull()
    expect(isPublic(hostOf(new URL(text)))).toBeFalse()
  })

  const wrong = [
    ["shop.example", "URL"],
    ["", "URL"],
    ["https://", "URL"],
    ["https:// shop.example", "URL"],
    ["https://shop.example/\n", "URL"],
    ["https:\\\\shop.example", "URL"],
    ["https://shop.example:0/", "URL"],
    ["https://[::1%25eth0]/", "URL"],
    ["ftp://shop.example/", "https"],
    ["file:///etc/passwd", "https"],
    ["gopher://127.0.0.1:6379/_", "https"],
    ["javascript:alert(1)", "https"],
    ["https://me@shop.example/", "user name"],
    ["https://:secret@shop.example/", "user name"],
    ["https://shop.example/#x", "fragment"],
  ]
  test.each(wrong)("%j is refused", (text, reason) => expect(errorOfUrl(text)).toContain(reason))

  test.each([
    "https://shop.example",
    "https://shop.example:8443/a?b=c",
    "http://10.0.0.1/",
    "https://ü.example/",
  ])("%j is accepted", (text) => expect(errorOfUrl(text)).toBeNull())
})
