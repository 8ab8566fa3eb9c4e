import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { parse } from 'yaml'

const folder = new URL('../../../deploy/prometheus/', import.meta.url)
const run = (...args: string[]) =>
  promisify(execFile)('promtool', args, { cwd: fileURLToPath(folder) })

type Tests = Readonly<{ tests: readonly Readonly<{ name: string }>[] }>
type Rules = Readonly<{ groups: readonly [{ rules: readonly Readonly<{ alert: string }>[] }] }>
const read = (name: string): unknown => parse(readFileSync(new URL(name, folder), 'utf8'))

describe('Prometheus alerts', () => {
  it('have a test for each alert, and one for a healthy service', () => {
    const { tests } = read('alerts.test.yaml') as Tests
    const { groups } = read('alerts.yaml') as Rules
    expect(tests.map(({ name }) => name)).to.deep.equal([
      'a healthy service',
      ...groups[0].rules.map(({ alert }) => alert),
    ])
  })

  it('pass the tests of promtool', async function () {
    this.timeout(60_000)
    try {
      await run('--version')
    } catch {
      process.stdout.write('      skipped: there is no promtool here (of Prometheus)\n')
      return this.skip()
    }
    const { stdout } = await run('test', 'rules', 'alerts.test.yaml')
    expect(stdout).to.include('SUCCESS')
  })
})
