import { join } from 'node:path'
import { launch } from '../../cli/start/launch.js'
import type { Closers } from './closers.js'
import type { Server, ServerOptions } from './child/start-server.js'
import { startServer } from './child/start-server.js'
import { inPackage } from './package-root.js'
import type { Call, Scenario } from './scenarios.js'
import type { Stage } from './stage.js'

/** The names under which servers are shown. */
export const serverNames = ['Quire', 'http floor', 'Express floor'] as const
export type ServerName = (typeof serverNames)[number]
/** Quire that runs everything on its main thread. */
export const withoutPool = 'Quire, no pool'

/** A server that runs, and how to ask it. */
export type Contender = Readonly<{
  server: Server
  headers: Readonly<Record<string, string>>
  callOf: (scenario: Scenario) => (n: number) => Call
}>

export type Ground = Pick<Stage, 'folder' | 'token' | 'environment'>

/** What a server is started with, by its name. */
export function serverOptions(
  name: ServerName | typeof withoutPool,
  { folder, token, environment }: Ground,
  profile?: string,
): ServerOptions {
  const common = { name, folder: join(folder, 'servers'), environment }
  if (name === 'http floor' || name === 'Express floor') {
    const isExpress = name === 'Express floor'
    const file = inPackage('dist/scripts/bench/floor/floor-server.js')
    return {
      ...common,
      command: [file, isExpress ? 'express' : 'http'],
      environment: { ...environment, FLOOR_NUMBER: isExpress ? '1' : '0' },
      firstRequest: { path: '/list?page=1', headers: {} },
    }
  }
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  return {
    ...common,
    // As `npm start` does.
    command: [...launch.nodeOptions, ...profiling, launch.program],
    // Dearer than any plan.
    environment: {
      ...environment,
      ...launch.environment,
      ...(name === withoutPool ? { POOL_COST_THRESHOLD: '2000000000' } : {}),
    },
    firstRequest: { path: '/api/articles', headers: authorization(token) },
  }
}

export async function startContender(
  name: ServerName | typeof withoutPool,
  ground: Ground,
  closers: Closers,
  profile?: string,
): Promise<Contender> {
  const server = await startServer(serverOptions(name, ground, profile))
  closers.add(() => server.stop())
  const isQuire = name === 'Quire' || name === withoutPool
  return {
    server,
    headers: isQuire ? authorization(ground.token) : {},
    callOf: ({ quire, floor }) => (isQuire ? quire : floor),
  }
}

export const authorization = (token: string) => ({ Authorization: `Bearer ${token}` })
