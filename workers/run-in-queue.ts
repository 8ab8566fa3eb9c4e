import { inStage } from '../engine/timeline.js'
import type { AdmissionRequest, Leave, Queue } from './admission.js'

/**
 * Waits for a slot, then runs a task. Rejects with the errors of `enter` and of `run`.
 * @param run the task. It can pass promises to `outlasts`; then the slot is only freed once these have settled, too
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

/** Waits for a slot, and records the time in the timeline. */
export function enter(queue: Queue, request: AdmissionRequest): Leave | Promise<Leave> {
  const turn = queue.enter(request)
  return typeof turn === 'function' ? turn : inStage(request.timeline, 'wait', () => turn)
}
