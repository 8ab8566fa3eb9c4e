import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { launch } from '../../cli/start/launch.js'
import { startCommand } from '../long/attack/start-command.js'

const text = (name: string): Promise<string> =>
  readFile(new URL(`../../../${name}`, import.meta.url), 'utf8')

const variables = Object.entries(launch.environment).map((pair) => pair.join('='))
const words = (line: string | undefined): readonly string[] => line?.split(/\s+/) ?? []

describe('environment and Node options of the service', () => {
  it('are the same in `npm start` as in `quire start`', async () => {
    const { environment, nodeOptions } = await startCommand('start')
    expect({ environment, nodeOptions }).to.deep.equal({
      environment: launch.environment,
      nodeOptions: launch.nodeOptions,
    })
  })

  it('are the same in the Docker image', async () => {
    const image = await text('Dockerfile')
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(image) ?? []
    const expected = ['node', ...launch.nodeOptions, 'dist/server/main.js']
    expect(JSON.parse(command)).to.deep.equal(expected)
    expect(words(/^ENV ((?:.*\\\n)*.*)$/m.exec(image)?.[1])).to.include.members(variables)
  })

  it('are the same in the systemd unit', async () => {
    const unit = await text('deploy/quire.service')
    const [, options] = /^ExecStart=\S*node (.*) dist\/server\/main\.js$/m.exec(unit) ?? []
    expect(words(options)).to.deep.equal(launch.nodeOptions)
    expect(words(/^Environment=(.*)$/m.exec(unit)?.[1])).to.include.members(variables)
  })
})
