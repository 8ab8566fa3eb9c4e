import { expect } from 'chai'
import fc from 'fast-check'
import { contentTypesOf, drawWorld } from '../../../engine/read/execute/naive/draw-world.js'
import { drawn, type Draw } from '../../../engine/read/execute/naive/draw.js'
import { library } from '../../../engine/read/execute/naive/library.js'
import type { World } from '../../../engine/read/execute/naive/world.js'
import { drawRequest, type AnyRequest } from './draw-request.js'
import { changeWhatIsHidden } from './hide.js'
import { drawWrite } from './draw-write.js'
import type { TestApp } from '../../../support/test-app.js'
import { drawPermissions, drawWritePermissions, type Permissions } from './permissions.js'
import { answerOf, answerOfWriter, fill, fillUsers, type TwoServices } from './two-services.js'

type Case = Readonly<{
  permissions: Permissions
  world: World
  other: World
  requests: readonly AnyRequest[]
  /** Prints a case as its permissions, without its data. */
  [fc.toStringMethod]: () => string
}>

function drawCase(draw: Draw, { requests, fixed, writes = false }: Runs): Case {
  const drawAll = writes ? drawWritePermissions : drawPermissions
  const permissions = fixed?.permissions ?? drawAll(draw, contentTypesOf(library))
  const drawOne = (): AnyRequest =>
    writes && draw.chance(70)
      ? drawWrite(draw, library, permissions)
      : drawRequest(draw, library, permissions)
  const world = drawWorld(draw, library)
  const third = drawWorld(draw, library)
  const other = changeWhatIsHidden({ draw, registry: library, permissions }, world, third)
  return {
    ...{ permissions, world, other },
    requests:
      fixed?.paths.map((path) => ({ path, headers: {} })) ??
      Array.from({ length: requests }, drawOne),
    [fc.toStringMethod]: () => [...permissions].join(' '),
  }
}

type Runs = Readonly<{
  seed: number
  numRuns: number
  requests: number
  writes?: boolean
  fixed?: Readonly<{ permissions: Permissions; paths: readonly string[] }>
}>

/** Numbers of requests that returned content, and of all requests. */
export type Answered = { content: number; all: number }

/**
 * Checks that a caller gets the same responses from two services whose data only differ in what the caller may not
 * read.
 */
export async function assertNoInterference(
  { one, other }: TwoServices,
  runs: Runs,
): Promise<Answered> {
  const answered = { content: 0, all: 0 }
  const same = fc.asyncProperty(
    drawn((draw) => drawCase(draw, runs)),
    async ({ permissions, world, other: changed, requests }) => {
      await fill(one, world, permissions)
      await fill(other, changed, permissions)
      await fillUsers(one, permissions, 'abc')
      await fillUsers(other, permissions, 'zy')
      const send = runs.writes === true ? answerOfWriter : answerOf
      for (const request of requests) {
        if (runs.writes !== true) await requestWithFullAccess(one, request)
        const answer = (await send(one, request)) as { status: number }
        expect(await send(other, request), show(request)).to.deep.equal(answer)
        expect(answer.status, show(request)).to.be.below(500)
        answered.all += 1
        if (answer.status < 300) answered.content += 1
      }
    },
  )
  // Does not shrink failures, because each attempt would fill two databases, and shrinking works badly here.
  await fc.assert(same, { seed: runs.seed, numRuns: runs.numRuns, endOnFailure: true })
  return answered
}

/**
 * Sends a request with full access, so that the cache contains a response that callers with less access must not get.
 */
const requestWithFullAccess = (
  { request, token }: TestApp,
  { path, headers }: AnyRequest,
): Promise<unknown> => request('GET', path, { token, headers })

const show = ({ method = 'GET', path, body }: AnyRequest): string =>
  `${method} ${decodeURIComponent(path)} ${JSON.stringify(body) ?? ''}`
