/** Lets whatever is waiting have its turn. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
