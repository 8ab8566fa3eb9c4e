import { MongoClient, type Db } from 'mongodb'
import { testDatabaseUri } from '../../support/database.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startInProcess } from '../../support/service-in-process.js'
import { writeFiles, type folderForEach } from '../../support/temporary-folder.js'

/** A stored document. The service uses numbers and strings as `_id`. */
export type Numbered = Readonly<{ _id: string | number } & Record<string, unknown>>

/** A database and the folder of its service, in which commands run. */
type Project = Readonly<{
  run: (...args: readonly string[]) => Promise<Readonly<{ code: number | null; stderr: string }>>
  /** Runs a command that must succeed. Returns its output. */
  output: (...args: readonly string[]) => Promise<string>
  over: <T>(task: (db: Db) => Promise<T>) => Promise<T>
  startOnce: () => Promise<void>
}>

type Files = Readonly<Record<string, unknown>>

/** Projects between which a test moves content, with a folder for the archive. */
export type Projects = Readonly<{
  folder: string
  archive: string
  /** @param files definitions in place of the common ones; `null`: only the database has definitions */
  createProject: (name: string, files?: Files | null) => Promise<Project>
}>

/** @param files definitions of the projects that are created without definitions of their own */
export async function openProjects(
  makeFolder: ReturnType<typeof folderForEach>,
  files: Files,
): Promise<Projects> {
  const folder = await makeFolder({})
  const createProject = async (name: string, own: Files | null = files): Promise<Project> => {
    const MONGODB_URI = await testDatabaseUri()
    const schemaDir = `${folder}/${name}-schema`
    await writeFiles(schemaDir, own ?? {})
    const env = {
      ...{ MONGODB_URI, DATA_DIR: `${folder}/${name}` },
      ...(own === null ? {} : { SCHEMA_DIR: schemaDir }),
    }
    return {
      run: async (...args) => {
        const { code, stderr } = await runQuireInProcess(args, { env, cwd: folder })
        return { code, stderr }
      },
      output: async (...args) => {
        const { code, stdout, stderr } = await runQuireInProcess(args, { env, cwd: folder })
        if (code !== 0) throw new Error(stderr)
        return stdout
      },
      over: async (task) => {
        const client = new MongoClient(MONGODB_URI)
        try {
          return await task(client.db())
        } finally {
          await client.close()
        }
      },
      startOnce: async () => {
        const admin = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'Correct-Horse-9' }
        const service = await startInProcess({ ...env, ...admin }, folder)
        await service.stop()
      },
    }
  }
  return { folder, archive: `${folder}/all.tar`, createProject }
}

export const done = { code: 0, stderr: '' }
