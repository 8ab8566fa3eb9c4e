import type { Asked, Line } from './admission.js'

/** Runs what was asked for when its turn comes. Rejects as `enter` does, or with what `run` throws. */
export async function inLine<T>(line: Line, asked: Asked, run: () => Promise<T>): Promise<T> {
  const turn = line.enter(asked)
  const leave = typeof turn === 'function' ? turn : await turn
  try {
    return await run()
  } finally {
    leave()
  }
}
