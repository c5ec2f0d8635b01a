import { placeOf } from "../core/engine/place"
import { print, say } from "../core/lib/process/output"
import { Unusable } from "../core/lib/refusal"
import type { Command } from "./command"
import { withServices } from "./with-services"

export const setupLinkCommand: Command = {
  name: "setup-link",
  summary: "Print a new link that creates the first admin, also while a server runs",
  usage: "[--json]",
  examples: ["kontor setup-link", "kontor setup-link --db /srv/kontor.db"],
  takes: ["db"],
  switches: { json: "Print the result as JSON" },
  run({ config, switches }) {
    return withServices(config, async ({ users, setupLink }, writer) => {
      // Inside the write, because the server may create the admin at the same time.
      const link = await writer((tx) => {
        if (users.hasActiveAdmin())
          throw new Unusable(
            `${placeOf(config.db).shown} already has an admin, so there is no setup link. Sign in, or set a new password with "kontor users set-password".`,
          )
        const address = setupLink.address()
        if (address === null)
          throw new Unusable(
            `No server has used ${placeOf(config.db).shown} yet. "kontor serve" prints a setup link.`,
          )
        return setupLink.renew(tx, address)
      })
      if (switches.json) return print(JSON.stringify({ link }))
      print(link)
      say("Open it in a browser while the server runs. Earlier links no longer work.")
    })
  },
}
