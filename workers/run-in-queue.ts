import { inStage } from '../engine/timeline.js'
import type { AdmissionRequest, Leave, Queue } from './admission.js'

/**
 * Runs a task when its turn comes. Rejects with the errors of `enter` and of `run`.
 * @param run may report promises that outlast it: the task keeps its slot until they settle
 */
export async function runInQueue<T>(
  queue: Queue,
  request: AdmissionRequest,
  run: (outlasts: (running: Promise<unknown>) => void) => Promise<T>,
): Promise<T> {
  const turn = enter(queue, request)
  const leave = typeof turn === 'function' ? turn : await turn
  const running: Promise<unknown>[] = []
  try {
    return await run((one) => void running.push(one))
  } finally {
    if (running.length === 0) leave()
    else void Promise.allSettled(running).then(leave)
  }
}

/** Takes a slot with `Queue.enter`, and records the wait in the timeline. */
export function enter(queue: Queue, request: AdmissionRequest): Leave | Promise<Leave> {
  const turn = queue.enter(request)
  return typeof turn === 'function' ? turn : inStage(request.timeline, 'wait', () => turn)
}
