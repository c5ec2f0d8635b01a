/** Lets a lane wait until something has happened. What happens before it waits counts too. */
export function openBell() {
  let rung = Promise.withResolvers<void>()
  return {
    ring: (): void => rung.resolve(),
    mute: (): void => void (rung = Promise.withResolvers<void>()),
    rings: (): Promise<void> => rung.promise,
  }
}

export type Bell = ReturnType<typeof openBell>
