import { existsSync, readFileSync, statSync } from 'node:fs'
import { expect } from 'chai'
import { DockerfileParser } from 'dockerfile-ast'
import { isIgnoredByDocker } from './support/docker-context.js'

const root = new URL('../../../', import.meta.url)
const text = (name: string): string => readFileSync(new URL(name, root), 'utf8')

describe('Docker image', () => {
  const copied = DockerfileParser.parse(text('Dockerfile'))
    .getCOPYs()
    .filter((copy) => copy.getFromFlag() === null)
    .flatMap((copy) =>
      copy
        .getArguments()
        .slice(0, -1)
        .map((argument) => argument.getValue()),
    )

  it('copies only existing paths that .dockerignore allows', () => {
    for (const path of copied) {
      expect(existsSync(new URL(path, root)), path).to.equal(true)
      const isFolder = statSync(new URL(path, root)).isDirectory()
      expect(isIgnoredByDocker(isFolder ? `${path}/x.ts` : path), path).to.equal(false)
    }
  })

  it('excludes secrets, data and tests', () => {
    for (const path of ['secrets/jwt_secret', '.data/x', '.env', 'test/x.ts', '.git/config'])
      expect(isIgnoredByDocker(path), path).to.equal(true)
  })
})
