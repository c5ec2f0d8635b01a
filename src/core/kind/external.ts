import { unique, withDefault } from "./field"
import { pairs } from "./pairs"
import { text } from "./text-field"

const mostPairs = 50
const longestKey = 40
const longestValue = 500

/** The fields that tie a record to a record of another system. */
export const externalFields = {
  externalId: unique({
    ...text({
      max: 100,
      isCode: true,
      description: "The id of the record in another system. Unique, and compared exactly",
    }),
    isExact: true,
  }),
  metadata: withDefault(
    pairs({
      mostPairs,
      longestKey,
      longestValue,
      examples: [{ channel: "web" }],
      description: `Up to ${mostPairs} pairs of your own: keys of at most ${longestKey} characters, texts of at most ${longestValue}`,
    }),
    {},
  ),
}
