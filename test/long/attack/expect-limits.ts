import { expect } from 'chai'
import type { Tally } from './orders.js'
import type { PhaseResult } from './run-phase.js'

/**
 * Minimum share of ordinary reads that must succeed, so that the service does not reject them in favour of attackers.
 */
const leastReadersShare = 0.9

/**
 * Checks what Quire guarantees under load, except for durations: statuses, complete responses, successful reads, and
 * memory.
 */
export function expectKept({ name, reads, attacks, peak }: PhaseResult, mostMemory: number): void {
  for (const report of [reads, ...attacks]) {
    for (const [label, tally] of Object.entries(report)) expectPromised(`${name}: ${label}`, tally)
  }
  for (const [label, tally] of Object.entries(reads)) {
    const answered = (tally.statuses['200'] ?? 0) + (tally.statuses['204'] ?? 0)
    expect(tally.waiting, `${name}: ${label}, without an answer`).to.equal(0)
    expect(answered / tally.sent, `${name}: ${label}, answered`).to.be.least(leastReadersShare)
  }
  if (peak !== null) expect(peak, `${name}: bytes of memory (PSS)`).to.be.below(mostMemory)
}

function expectPromised(name: string, { statuses, broken, lengths }: Tally): void {
  expect(broken, name).to.deep.equal([])
  expect(Object.keys(statuses), `${name}: statuses`).to.not.be.empty
  for (const [path, different] of Object.entries(lengths)) {
    expect(different, `${name}: lengths of answers to ${path}`).to.have.length(1)
  }
}
