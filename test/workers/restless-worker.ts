import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadReply, ReadTask } from '../../workers/messages.js'
import readInWorker from '../../workers/read-worker.js'

/** The worker of the service, but for a fault: it throws when its task is answered and it has nothing to do. */
export default async function readAndThrow(task: ReadTask): Promise<ReadReply> {
  const reply = await readInWorker(task)
  void sleep(100).then(() => Promise.reject(new Error('Thrown with nothing to do')))
  return reply
}
