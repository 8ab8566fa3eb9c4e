/** Counts the turns of the event loop that others have while something is done. */
export async function countTurns<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    const made = await work()
    return [made, turns]
  } finally {
    isOver = true
  }
}

/** Holds the event loop for so many milliseconds. */
export function holdLoop(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}
