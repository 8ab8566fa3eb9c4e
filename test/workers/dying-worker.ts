import type { ReadReply, ReadTask } from '../../workers/messages.js'
import readInWorker from '../../workers/read-worker.js'

/** The worker of the service with a fault: a filter by "good-bye" ends the thread. */
export default function readOrDie(task: ReadTask): Promise<ReadReply> {
  if (JSON.stringify(task.plan.match).includes('good-bye')) process.exit(1)
  return readInWorker(task)
}
