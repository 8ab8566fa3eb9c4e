import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { compile, inProject, strictest } from './compile.js'

describe('docs/typescript.md', () => {
  it('has examples that compile together', () => {
    const page = readFileSync(inProject('docs/typescript.md'), 'utf8')
    const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1] ?? '')
    expect(examples.length).to.be.greaterThan(3)
    const file = inProject('test/client/examples.ts')
    // The package is not installed in its own project, so import its source.
    const text = examples.join('\n').replaceAll("'quire-content/client'", "'../../client/main.js'")
    const options = { ...strictest, types: ['node'] }
    expect(compile([file], { [file]: text }, options).complaints).to.deep.equal([])
  })
})
