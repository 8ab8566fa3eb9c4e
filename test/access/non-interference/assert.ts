import { expect } from 'chai'
import fc from 'fast-check'
import { contentTypesOf, drawWorld } from '../../engine/naive/draw-world.js'
import { drawn, type Draw } from '../../engine/naive/draw.js'
import { library } from '../../engine/naive/library.js'
import type { World } from '../../engine/naive/world.js'
import { drawRequest, type ReadRequest } from './draw-request.js'
import { changeWhatIsHidden } from './hide.js'
import { drawPermissions, type Permissions } from './permissions.js'
import { answerOf, fill, fillUsers, type TwoServices } from './two-services.js'

type Case = Readonly<{
  permissions: Permissions
  world: World
  other: World
  requests: readonly ReadRequest[]
  /** A case is printed without its data. */
  [fc.toStringMethod]: () => string
}>

function drawCase(draw: Draw, { requests, fixed }: Runs): Case {
  const permissions = fixed?.permissions ?? drawPermissions(draw, contentTypesOf(library))
  const world = drawWorld(draw, library)
  const third = drawWorld(draw, library)
  const other = changeWhatIsHidden({ draw, registry: library, permissions }, world, third)
  return {
    ...{ permissions, world, other },
    requests:
      fixed?.paths.map((path) => ({ path, headers: {} })) ??
      Array.from({ length: requests }, () => drawRequest(draw, library, permissions)),
    [fc.toStringMethod]: () => [...permissions].join(' '),
  }
}

type Runs = Readonly<{
  seed: number
  /** How many pairs of worlds, and how many requests to each. */
  numRuns: number
  requests: number
  /** Instead of random ones. */
  fixed?: Readonly<{ permissions: Permissions; paths: readonly string[] }>
}>

/** How many requests were answered with content, of all that were sent. */
export type Answered = { content: number; all: number }

/**
 * Two services whose data differ only in what a caller may not read give the same answers to whatever that caller
 * asks. Throws at the first difference, with the request and the permissions.
 */
export async function assertNoInterference(
  { one, other }: TwoServices,
  runs: Runs,
): Promise<Answered> {
  const answered = { content: 0, all: 0 }
  const same = fc.asyncProperty(
    drawn((draw) => drawCase(draw, runs)),
    async ({ permissions, world, other: changed, requests: asked }) => {
      await fill(one, world, permissions)
      await fill(other, changed, permissions)
      await fillUsers(one, permissions, 'abc')
      await fillUsers(other, permissions, 'zy')
      for (const request of asked) {
        const answer = await answerOf(one, request)
        expect(await answerOf(other, request), decodeURIComponent(request.path)).to.deep.equal(
          answer,
        )
        answered.all += 1
        if ((answer as { status: number }).status === 200) answered.content += 1
      }
    },
  )
  // Worlds do not shrink well, and each attempt would fill two databases.
  await fc.assert(same, { seed: runs.seed, numRuns: runs.numRuns, endOnFailure: true })
  return answered
}
