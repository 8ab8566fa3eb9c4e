import { inStage } from '../engine/timeline.js'
import type { Asked, Leave, Line } from './admission.js'

/** Runs what was asked for when its turn comes. Rejects as `enter` does, or with what `run` throws. */
export async function inLine<T>(line: Line, asked: Asked, run: () => Promise<T>): Promise<T> {
  const turn = enter(line, asked)
  const leave = typeof turn === 'function' ? turn : await turn
  try {
    return await run()
  } finally {
    leave()
  }
}

/** The place in a line, as `Line.enter` gives it; that it has to be waited for is told. */
export function enter(line: Line, asked: Asked): Leave | Promise<Leave> {
  const turn = line.enter(asked)
  return typeof turn === 'function' ? turn : inStage(asked.timeline, 'wait', () => turn)
}
