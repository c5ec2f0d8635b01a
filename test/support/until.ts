/** In milliseconds. It is only reached if something never happens, however slow the machine is. */
const patience = 5 * 60_000

/** Waits until a condition holds, and fails after minutes. It looks less often with time. */
export async function until(isTrue: () => unknown): Promise<void> {
  const began = performance.now()
  while (!(await isTrue())) {
    const waited = performance.now() - began
    if (waited > patience) throw new Error(`It did not happen within five minutes: ${isTrue}`)
    await Bun.sleep(Math.min(Math.max(waited / 10, 20), 200))
  }
}

/**
 * Waits until a server has read what was sent to it before. It reads from all connections in turn, so it has done so when
 * it has answered a few requests of another one.
 */
export async function heard({ url }: { url: string }): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await fetch(`${url}/health`)
    // What was sent before may arrive later on another connection of a busy machine.
    await Bun.sleep(20)
  }
}
