import { latestVersion } from "../core/engine/schema/migrate"
import { print } from "../core/lib/process/output"
import { commit, version } from "../version"
import type { Command } from "./command"

export const versionCommand: Command = {
  name: "version",
  summary: "Print the version, the commit that it was built from, and the version of the database",
  usage: "[--json]",
  examples: ["kontor version"],
  takes: [],
  switches: { json: "Print the result as JSON" },
  run({ switches }) {
    const about = { version, commit: commit(), schema: latestVersion }
    print(
      switches.json ? JSON.stringify(about) : `${version} (commit ${about.commit}, schema ${about.schema})`,
    )
  },
}
