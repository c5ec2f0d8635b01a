/** The CPU time of this thread in microseconds. Other programs and other threads do not count. */
export function spent(): number {
  // The kernel adds up the time when a thread pauses, or else every few milliseconds.
  Bun.sleepSync(1)
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** In microseconds: long enough to be measured exactly. */
const shortest = 5_000

/**
 * How many times as much CPU time some work takes for a larger size. Measured in one run, so it does not depend on how fast
 * or how busy the machine is: about 8 for 8 times the size if the work is linear, 64 if it is quadratic.
 */
export function growth(work: (size: number) => unknown, small: number, large: number): number {
  const timeOf = (size: number, times: number): number => {
    const before = spent()
    for (let i = 0; i < times; i++) work(size)
    return spent() - before
  }
  let times = 1
  const round = (): number => {
    let base = timeOf(small, times)
    // The work becomes faster while it is compiled.
    for (; base < shortest; base = timeOf(small, times)) times *= 2
    return timeOf(large, times) / base
  }
  return Math.min(...Array.from({ length: 3 }, round))
}
