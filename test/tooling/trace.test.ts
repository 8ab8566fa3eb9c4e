import { expect } from 'chai'
import { markFunctions } from '../../scripts/trace/mark-functions.js'

describe('npm run trace', () => {
  it('marks the entry of every function, and changes nothing else', () => {
    const source = `
      export function named(a = () => 1) { return a() }
      export const arrow = (n) => ({ n })
      export class Kind { get one() { return 1 } async *many() { yield named() } }
    `
    const entered = 'globalThis.quireTrace?.("engine/read.ts")'
    expect(markFunctions(source, 'engine/read.ts')).to.equal(`
      export function named(a = () => (${entered}, 1)) {${entered}; return a() }
      export const arrow = (n) => (${entered}, ({ n }))
      export class Kind { get one() {${entered}; return 1 } async *many() {${entered}; yield named() } }
    `)
  })
})
