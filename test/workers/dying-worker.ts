import type { ReadReply, ReadTask } from '../../workers/messages.js'
import readInWorker from '../../workers/read-worker.js'

/** Like the service's read worker, but a filter by "good-bye" ends the thread. */
export default function readOrDie(task: ReadTask): Promise<ReadReply> {
  if (JSON.stringify(task.plan.match).includes('good-bye')) process.exit(1)
  return readInWorker(task)
}
