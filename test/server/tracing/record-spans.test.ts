import { expect } from 'chai'
import type { SentCommand, Stage, StageName } from '../../../engine/timeline.js'
import { recordedParts } from '../../../server/tracing/record-spans.js'

describe('recordedParts', () => {
  const stage = (name: StageName, from: number, to?: number): Stage => ({ name, from, to })
  const command = (kind: string, from: number, to?: number): SentCommand => ({
    ...{ kind, collection: 'articles', from, to, failed: false },
  })
  /** Returns lines such as `execute 2–5 in thread`, in the order in which the spans began. */
  const treeOf = (
    stages: readonly Stage[],
    commands: readonly SentCommand[] = [],
    until = 100,
  ): readonly string[] => {
    const timeline = { stages: [...stages], commands: [...commands], moreCommands: 0 }
    const parts = recordedParts(timeline, until)
    const nameAt = (at: number): string => {
      const of = parts[at]?.of
      return of?.is === 'stage' ? of.stage.name : (of?.command.kind ?? '?')
    }
    return parts.map(({ from, to, within }, at) => {
      const suffix = within === undefined ? '' : ` in ${nameAt(within)}`
      return `${nameAt(at)} ${from}–${to}${suffix}`
    })
  }

  it('places stages after and inside one another', () => {
    expect(
      treeOf([
        stage('shape', 6, 8),
        stage('thread', 2, 10),
        stage('parse', 0, 1),
        stage('execute', 3, 6),
        stage('send', 10, 12),
      ]),
    ).to.deep.equal([
      'parse 0–1',
      'thread 2–10',
      'execute 3–6 in thread',
      'shape 6–8 in thread',
      'send 10–12',
    ])
  })

  it('places a command in the shortest stage that contains it', () => {
    expect(
      treeOf(
        [stage('read-back', 1, 10), stage('execute', 2, 6)],
        [command('find', 3, 5), command('aggregate', 3, 6), command('insert', 7, 8)],
      ),
    ).to.deep.equal([
      'read-back 1–10',
      'execute 2–6 in read-back',
      'aggregate 3–6 in execute',
      'find 3–5 in execute',
      'insert 7–8 in read-back',
    ])
  })

  it('places a command in the request if no stage contains it', () => {
    expect(treeOf([stage('steps', 1, 4)], [command('update', 3, 6)])).to.deep.equal([
      'steps 1–4',
      'update 3–6',
    ])
  })

  it('places a stage in a longer one with the same start', () => {
    expect(treeOf([stage('execute', 1, 2), stage('thread', 1, 3)])).to.deep.equal([
      'thread 1–3',
      'execute 1–2 in thread',
    ])
  })

  it('tolerates a small difference between the clocks of two threads', () => {
    expect(treeOf([stage('thread', 1, 3), stage('execute', 2, 3.05)])).to.deep.equal([
      'thread 1–3',
      'execute 2–3.05 in thread',
    ])
  })

  it('ends unfinished parts with the request', () => {
    expect(treeOf([stage('execute', 1)], [command('find', 2)], 9)).to.deep.equal([
      'execute 1–9',
      'find 2–9 in execute',
    ])
  })
})
