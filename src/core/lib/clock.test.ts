import { afterEach, expect, mock, spyOn, test } from "bun:test"
import { business, clock, followClock, real, systemClock } from "./clock"

const set = (times: Partial<Record<keyof typeof clock, number>>): void => {
  for (const [name, millis] of Object.entries(times))
    spyOn(clock, name as keyof typeof clock).mockReturnValue(millis)
}
afterEach(() => mock.restore())

const [shop, outside] = [Date.parse("2027-01-04T23:30:00.500Z"), Date.parse("2026-03-01T09:00:00.000Z")]

test("Both clocks show the wall clock, formatted for each millisecond.", () => {
  for (let i = 0; i < 20_000; i++) {
    const before = Date.now()
    const shown = [clock.business(), clock.real(), business.now(), real.now()]
    const after = Date.now()
    const text = new Date(before).toISOString()
    if (before === after) expect(shown).toEqual([before, before, text, text])
  }
})

test("Business time can differ from real time, and each text is of its own clock.", () => {
  set({ business: shop, real: outside })
  const read = (times: typeof business) => ({
    now: times.now(),
    days: [times.today(), times.today("Europe/Berlin"), times.today("America/New_York")],
    seconds: times.seconds(),
    latest: [times.latest(), times.latestMillis()],
  })
  const inShop = {
    now: "2027-01-04T23:30:00.500Z",
    days: ["2027-01-04", "2027-01-05", "2027-01-04"],
    seconds: Math.floor(shop / 1000),
    latest: ["2027-01-04T23:31:00.500Z", shop + 60_000],
  }
  expect(read(business)).toEqual(inShop)
  expect(read(real)).toEqual({
    now: "2026-03-01T09:00:00.000Z",
    days: ["2026-03-01", "2026-03-01", "2026-03-01"],
    seconds: outside / 1000,
    latest: ["2026-03-01T09:01:00.000Z", outside + 60_000],
  })
  expect(read(business)).toEqual(inShop)
})

test("Business time follows another clock until that ends, and real time never does.", () => {
  let at = shop
  const [end, before] = [followClock(() => at), clock.real()]
  expect([business.now(), business.today()]).toEqual(["2027-01-04T23:30:00.500Z", "2027-01-04"])
  at += 3_600_000
  expect([business.now(), business.today()]).toEqual(["2027-01-05T00:30:00.500Z", "2027-01-05"])
  expect(clock.real()).toBeWithin(before, Date.now() + 1)
  const endOther = followClock(() => outside)
  end()
  expect(business.today()).toBe("2026-03-01")
  endOther()
  expect(clock.business()).toBeWithin(before, Date.now() + 1)
})

test("The time of writes follows business time, and stands still when that is set back by up to a minute.", () => {
  set({ business: shop, real: shop + 1_000_000 })
  const [writes, after] = [systemClock(), systemClock("2027-01-04T23:31:00.000Z")]
  expect([writes(), after()]).toEqual(["2027-01-04T23:30:00.500Z", "2027-01-04T23:31:00.000Z"])
  set({ business: shop - 60_000 })
  expect(writes()).toBe("2027-01-04T23:30:00.500Z")
  set({ business: shop + 1 })
  expect(writes()).toBe("2027-01-04T23:30:00.501Z")
})

test("A clock that is set back by more than a minute was wrong before, also before the start of the server.", () => {
  set({ business: shop, real: shop })
  const [writes, after] = [systemClock(), systemClock("2999-01-01T00:00:00.000Z")]
  expect([writes(), after()]).toEqual(["2027-01-04T23:30:00.500Z", "2027-01-04T23:30:00.500Z"])
  set({ business: shop - 60_001 })
  expect(writes()).toBe("2027-01-04T23:29:00.499Z")
})
