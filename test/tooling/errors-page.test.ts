import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { errorNames } from '../../engine/errors.js'

describe('docs/errors.md', () => {
  it('lists every error status with all of its names', () => {
    const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| (\d{3}) +\| ([^|]*)\|/gm)]
    const listed = rows.map(([, status, names = '']) => [
      Number(status),
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
    ])
    const known = [...errorNames].map(([status, names]) => [status, [...names].sort()])
    expect(listed).to.deep.equal(known.sort(([one], [other]) => Number(one) - Number(other)))
  })
})
