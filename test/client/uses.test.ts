import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { compile, inProject, strictest } from './compile.js'

const uses = ['reads', 'filters', 'groups', 'writes', 'bulks', 'strapi', 'refused'].map((name) =>
  inProject(`test/client/uses/${name}.ts`),
)

describe('types of a service', () => {
  it('describe responses, and compile with the strictest options for browsers', () => {
    // @strapi/client needs the types of Node.
    const own = uses.filter((file) => !file.endsWith('strapi.ts'))
    expect(compile(own).complaints).to.deep.equal([])
  })

  it('compile with the types of Node, with @strapi/client and with less strict options', () => {
    const options = {
      ...strictest,
      exactOptionalPropertyTypes: false,
      noUncheckedIndexedAccess: false,
      skipLibCheck: true,
      types: ['node'],
    }
    const file = uses.filter((name) => name.endsWith('strapi.ts'))
    expect(compile(file, {}, options).complaints).to.deep.equal([])
  })

  it('reject what the service would reject, and name the mistake', () => {
    const file = inProject('test/client/uses/refused.ts')
    const text = readFileSync(file, 'utf8')
    const expected = text.split('\n').flatMap((line, place) => {
      const names = /@ts-expect-error (.+)$/.exec(line)?.[1]
      return names === undefined ? [] : [{ line: place + 2, names: names.split(' | ') }]
    })
    expect(expected.length).to.be.greaterThan(60)
    const { complaints } = compile([file], { [file]: text.replaceAll('@ts-expect-error', '') })
    for (const { line, names } of expected) {
      const found = complaints.filter((complaint) => complaint.line === line)
      const isNamed = found.some(({ message }) =>
        names.some((name) => message.replaceAll('\\"', '"').includes(name)),
      )
      expect(isNamed, `line ${line}, ${names.join()}: ${found[0]?.message}`).to.equal(true)
    }
    expect(new Set(complaints.map(({ line }) => line)).size).to.equal(expected.length)
  })
})
