import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DockerfileParser, type Copy, type Env, type Instruction } from 'dockerfile-ast'

const execute = promisify(execFile)

/** Replaces a container engine: an image is an overlayfs layer on this machine's files. Needs root on Linux. */
export type ImageRoom = Readonly<{
  root: string
  /** Runs the image's command with its user, environment and folder. Only `data` is writable. */
  run: (env: Readonly<Record<string, string>>) => ChildProcess
  /** Rejects if the image's health check fails. */
  checkHealth: (env: Readonly<Record<string, string>>) => Promise<unknown>
  remove: () => Promise<void>
}>

type Stage = {
  root: string
  folder: string
  user: string
  env: Record<string, string>
  command: readonly string[]
  health: readonly string[]
}

/** Runs the steps of `dockerfile` with the build context in `context`. */
export async function buildImageRoom(dockerfile: string, context: string): Promise<ImageRoom> {
  const place = await mkdtemp(join(tmpdir(), 'image-'))
  const stages = new Map<string, Stage>()
  const remove = () => removeRoom(place, [...stages.values()])
  try {
    // overlayfs cannot use a layer that contains its own mount.
    await execute('mount', ['-t', 'tmpfs', 'tmpfs', place])
    let stage: Stage | undefined
    for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
      const words = instruction.getArguments().map((argument) => argument.getValue())
      if (instruction.getKeyword() === 'FROM') {
        stage = await openStage(join(place, String(stages.size)))
        stages.set(words[2] ?? '', stage)
      } else if (stage !== undefined) await takeStep(stage, instruction, words, { context, stages })
    }
    const last = stage
    if (last === undefined) throw new Error('The Dockerfile has no stage')
    await execute('mount', [
      '-t',
      'tmpfs',
      '-o',
      'uid=1000,gid=1000',
      'tmpfs',
      join(last.root, 'data'),
    ])
    await execute('mount', ['-o', 'remount,ro', last.root])
    return {
      root: last.root,
      run: (env) => {
        const [program, args] = inside(last, env, last.command)
        return spawn(program, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
      },
      checkHealth: (env) => execute(...inside(last, env, last.health), { env: {} }),
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function openStage(place: string): Promise<Stage> {
  const [upper, work, root] = ['upper', 'work', 'root'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [upper, work, root]) await mkdir(folder, { recursive: true })
  const layers = `lowerdir=/,upperdir=${upper},workdir=${work}`
  await execute('mount', ['-t', 'overlay', 'overlay', '-o', layers, root])
  for (const folder of ['dev', 'proc'])
    await execute('mount', ['--bind', `/${folder}`, join(root, folder)])
  const path = process.env['PATH'] ?? ''
  return { root, folder: '/', user: '0:0', env: { PATH: path }, command: [], health: [] }
}

type Sources = Readonly<{ context: string; stages: ReadonlyMap<string, Stage> }>

async function takeStep(
  stage: Stage,
  instruction: Instruction,
  words: readonly string[],
  { context, stages }: Sources,
): Promise<void> {
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      stage.folder = resolve(stage.folder, words[0] ?? '/')
      return void (await mkdir(join(stage.root, stage.folder), { recursive: true }))
    case 'ENV':
      for (const property of (instruction as Env).getProperties())
        stage.env[property.getName()] = property.getValue() ?? ''
      return
    case 'COPY': {
      const name = (instruction as Copy).getFromFlag()?.getValue()
      const from = name === undefined || name === null ? context : (stages.get(name)?.root ?? '')
      const to = resolve(stage.folder, words.at(-1) ?? '')
      for (const word of words.slice(0, -1)) {
        const target =
          words.at(-1)?.endsWith('/') === true ? join(to, word.split('/').at(-1) ?? '') : to
        await cp(join(from, word), join(stage.root, target), { recursive: true })
      }
      return
    }
    case 'RUN': {
      const [program, args] = inside(stage, {}, ['sh', '-c', words.join(' ')])
      return void (await execute(program, args, { env: {}, maxBuffer: 2 ** 26 }))
    }
    case 'USER':
      stage.user = words[0] ?? '0:0'
      return
    case 'CMD':
      stage.command = listOf(instruction)
      return
    case 'HEALTHCHECK':
      stage.health = listOf(instruction)
      return
    case 'VOLUME':
    case 'EXPOSE':
      return
    default:
      throw new Error(`${instruction.getKeyword()} is not known here`)
  }
}

/** Returns the list at the end of an instruction: `CMD ["node", "main.js"]`. */
function listOf(instruction: Instruction): readonly string[] {
  const text = instruction.getArgumentsContent() ?? ''
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}

function inside(
  { root, folder, user, env }: Stage,
  more: Readonly<Record<string, string>>,
  command: readonly string[],
): [program: string, args: string[]] {
  const variables = Object.entries({ ...env, ...more }).map(([name, value]) => `${name}=${value}`)
  const enter = 'cd "$0" && exec "$@"'
  return [
    '/usr/sbin/chroot',
    [`--userspec=${user}`, root, 'env', '-i', ...variables, 'sh', '-c', enter, folder, ...command],
  ]
}

async function removeRoom(place: string, stages: readonly Stage[]): Promise<void> {
  const mounts = stages.flatMap(({ root }) =>
    ['data', 'dev', 'proc', ''].map((name) => join(root, name)),
  )
  for (const mount of [...mounts, place])
    await execute('umount', ['--lazy', mount]).catch(() => undefined)
  await rm(place, { recursive: true, force: true })
}

/** Returns why this machine cannot run the steps of a Dockerfile. Undefined if it can. */
export async function roomObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux'
  const systems = await readFile('/proc/filesystems', 'utf8')
  return systems.includes('overlay') ? undefined : 'it needs overlayfs'
}
