import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const noteSchema = {
  'content-types/note.json': {
    ...{ kind: 'collectionType', collectionName: 'notes' },
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: false },
    attributes: { title: { type: 'string' } },
  },
}

/** What an export below a `DATA_DIR` keeps for a while. */
export async function keptBy(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, 'tmp'), { recursive: true }).catch(() => [])
  return names
    .filter((name) => name.endsWith('documents'))
    .map((name) => join(dataDir, 'tmp', name))
}

/** Whether documents are being read: their file is made before writes are held, and filled while they are. */
export async function isReading(dataDir: string): Promise<boolean> {
  for (const name of await keptBy(dataDir)) {
    const { size } = await stat(name).catch(() => ({ size: 0 }))
    if (size > 0) return true
  }
  return false
}

/** The processes that export for the service that is this process. */
export async function exportersOf(service: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^ *(\d+) +(\d+) (.*)/.exec(line) ?? []
    return Number(parent) === service && command.includes('export-worker') ? [Number(pid)] : []
  })
}

/** Has an export stand still where it is, as one whose database does not answer. */
export async function pauseExport(
  service: number,
): Promise<Readonly<{ pid: number; goOn: () => void }>> {
  const [pid] = await exportersOf(service)
  if (pid === undefined) throw new Error('Nothing is exported')
  process.kill(pid, 'SIGSTOP')
  return { pid, goOn: () => void process.kill(pid, 'SIGCONT') }
}
