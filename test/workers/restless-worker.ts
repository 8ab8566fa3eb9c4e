import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadReply, ReadTask } from '../../workers/messages.js'
import readInWorker from '../../workers/read-worker.js'

/** The worker of the service with a fault: it throws after its task is done, while it is idle. */
export default async function readAndThrow(task: ReadTask): Promise<ReadReply> {
  const reply = await readInWorker(task)
  void sleep(100).then(() => Promise.reject(new Error('Thrown with nothing to do')))
  return reply
}
