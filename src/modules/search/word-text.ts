/** Where so many words begin alike, whether one has these letters inside is not worth the time. */
const mostLooks = 1_000
/** Words that are gone are looked through in vain; when there are more than these, the text is made again without them. */
const mostStale = 20_000

/** Words as one text, each between two ends of line: it is searched far faster than the words one by one. */
export function wordText() {
  let all = "\n"
  let stale = 0
  return {
    add: (word: string): void => void (all += `${word}\n`),

    /** Notes that a word is gone. It stays in the text until that is made again. */
    leave: (): void => void stale++,

    /** True when so many words are gone that the text is to be made again from the `known` ones that are left. */
    isStale: (known: number): boolean => stale >= Math.max(mostStale, known / 2),

    /** Makes the text again from the words that are left. */
    make(...words: Iterable<string>[]): void {
      all = `\n${words.map((some) => [...some].join("\n")).join("\n")}\n`
      stale = 0
    },

    /** True when a word is longer than this start of it. */
    hasLonger(start: string): boolean {
      for (let at = all.indexOf(`\n${start}`); at >= 0; at = all.indexOf(`\n${start}`, at + 1))
        if (all[at + start.length + 1] !== "\n") return true
      return false
    },

    /** True when a word has these letters. */
    has: (letters: string): boolean => all.includes(letters),

    /** True when a word has these letters, and not at its start; also when too many begin with them to say. */
    hasInside(letters: string): boolean {
      let looked = 0
      for (let at = all.indexOf(letters); at >= 0; at = all.indexOf(letters, at + 1))
        if (all[at - 1] !== "\n" || ++looked > mostLooks) return true
      return false
    },
  }
}

export type WordText = ReturnType<typeof wordText>
