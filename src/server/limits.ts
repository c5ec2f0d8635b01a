/** In seconds. A connection that sends nothing is closed, but not one whose request waits on a busy machine. */
export const longestSilence = 30
