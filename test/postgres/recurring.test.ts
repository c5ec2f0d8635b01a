// Two servers of one database make the invoices of recurring ones, and the one that does is killed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { randomFrom } from "../../scripts/faults/random"
import { seedOf } from "../support/same-choices"
import { cleanUp, run } from "../support/kontor"
import {
  countMade,
  countReminders,
  expectEachOnce,
  expectEachReminded,
  periodsEach,
  remindOfMany,
  writeTemplates,
} from "../support/periods"
import { isPostgresInstalled } from "../support/postgres"
import { several, termsOf, type Several } from "../support/several"
import { until } from "../support/until"

const [templates, debts] = [30, 40]

describe.skipIf(!isPostgresInstalled())("two servers", () => {
  let shop: Several
  beforeAll(async () => {
    shop = await several(2)
  })
  afterAll(async () => {
    await cleanUp()
    shop?.server.stop()
  })

  test("make one invoice of each period and one reminder of each debt, although each leader is killed meanwhile", async () => {
    const random = randomFrom(seedOf("recurring-servers"))
    let {
      leader,
      others: [other = leader],
    } = shop.split()
    await remindOfMany(other.api, debts)
    await writeTemplates(other.api, templates)
    for (let kills = 0; kills < 2; kills++) {
      const before = await countMade(other.api)
      await until(async () => {
        const made = await countMade(other.api)
        return made !== before || made === templates * periodsEach
      })
      await Bun.sleep(random.between(0, 100))
      await leader.stop("SIGKILL")
      leader = other
      // The other one leads now, and a new one waits.
      await until(() => termsOf(leader) > 0)
      other = await shop.start()
    }
    await until(async () => (await countMade(other.api)) >= templates * periodsEach)
    await expectEachOnce(other.api, templates)
    await until(async () => (await countReminders(other.api)) >= debts)
    await expectEachReminded(other.api, debts)
    expect(await run(["check", "--db", shop.url])).toMatchObject({ code: 0 })
  })
})
