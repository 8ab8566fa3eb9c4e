import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadReply, ReadTask } from '../../workers/messages.js'
import readInWorker from '../../workers/read-worker.js'

/** Like the service's read worker, but it throws after its task is done, while the thread is idle. */
export default async function readAndThrow(task: ReadTask): Promise<ReadReply> {
  const reply = await readInWorker(task)
  void sleep(100).then(() => Promise.reject(new Error('Thrown with nothing to do')))
  return reply
}
