/** Runs `work`, and counts how often the event loop runs other tasks before `work` has finished. */
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

/** Blocks the event loop for a number of milliseconds. */
export function holdLoop(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}
