import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect } from 'chai'
import { DockerfileParser } from 'dockerfile-ast'
import { parse } from 'yaml'
import { createIgnore } from '../deploy/support/docker-context.js'
import { runQuire } from '../support/quire-command.js'
import { folderForEach } from '../support/temporary-folder.js'

describe('quire init', () => {
  const folderOf = folderForEach()
  const made = async (...options: readonly string[]) => {
    const cwd = await folderOf({})
    const ran = await runQuire(['init', 'My Site', '--no-install', ...options], { cwd })
    expect(ran, ran.stderr).to.include({ code: 0, stderr: '' })
    const folder = join(cwd, 'My Site')
    const text = (name: string) => readFile(join(folder, name), 'utf8')
    return { cwd, folder, text, said: ran.stdout }
  }

  it('makes a project that would start, and says how', async () => {
    const { folder, text, said } = await made('--from', '^0.1.0')
    expect(said).to.match(/\n {2}cd My Site\n {2}npm install\n {2}npm start\n/)
    expect(await readdir(folder)).to.have.members([
      ...['.dockerignore', '.env', '.env.example', '.gitignore', 'Dockerfile', 'README.md'],
      ...['compose.yaml', 'package.json', 'quire.config.json', 'schema'],
    ])
    expect(JSON.parse(await text('package.json'))).to.deep.include({
      ...{ name: 'my-site', private: true, dependencies: { 'quire-content': '^0.1.0' } },
    })
    expect(await text('README.md')).to.match(/^# my-site\n/)
    const check = await runQuire(['check'], { cwd: folder })
    expect(check).to.include({ code: 0 })
    expect(check.stdout).to.include('endpoints: /api/articles, /api/authors')
    // The content-types that the demo's content needs.
    const magazine = await made('--magazine')
    const other = await runQuire(['check'], { cwd: magazine.folder })
    expect(other.stdout).to.include('/api/homepage').and.include('It would start.')
  })

  it('draws secrets for each project, which only their user reads and git ignores', async () => {
    const [one, other] = [await made(), await made()]
    const valuesOf = async ({ text }: typeof one, file = '.env') => parseEnv(await text(file))
    const [mine, others] = [await valuesOf(one), await valuesOf(other)]
    const example = await valuesOf(one, '.env.example')
    for (const name of ['ADMIN_PASSWORD', 'JWT_SECRET', 'API_TOKEN_SALT', 'UPLOAD_SIGNING_KEY']) {
      expect(mine[name]?.length, name).to.be.at.least(20)
      expect(mine[name], name).to.not.equal(others[name])
      expect(example[name], name).to.equal('')
    }
    expect((await stat(join(one.folder, '.env'))).mode & 0o777).to.equal(0o600)
    expect((await one.text('.gitignore')).split('\n')).to.include('.env')
    const production = await runQuire(['doctor', '--json'], {
      ...{ cwd: one.folder, env: { NODE_ENV: 'production' } },
    })
    expect(production.stdout).to.not.include('random').and.not.include('SECRET')
  })

  it('lets Docker see what its image is made of, and no secret', async () => {
    const { text } = await made()
    const ignore = createIgnore(await text('.dockerignore'))
    const copied = DockerfileParser.parse(await text('Dockerfile'))
      .getCOPYs()
      .flatMap((copy) =>
        copy
          .getArguments()
          .slice(0, -1)
          .map((argument) => argument.getValue()),
      )
    expect(copied).to.include.members(['package.json', 'quire.config.json', 'schema'])
    for (const path of ['package.json', 'quire.config.json', 'schema/content-types/a.json'])
      expect(ignore.ignores(path), path).to.equal(false)
    for (const path of ['.env', '.data/database/x', 'node_modules/a/package.json'])
      expect(ignore.ignores(path), path).to.equal(true)
    const { services } = parse(await text('compose.yaml')) as { services: Record<string, object> }
    expect(Object.keys(services)).to.deep.equal(['quire', 'mongodb'])
  })

  it('leaves a folder as it is in which there is something', async () => {
    const cwd = await folderOf({ 'site/notes.txt': 'mine' })
    const ran = await runQuire(['init', 'site', '--no-install'], { cwd })
    expect(ran).to.include({ code: 1, stdout: '' })
    expect(ran.stderr).to.match(/site is not empty: it has notes\.txt\n$/)
    expect(await readdir(join(cwd, 'site'))).to.deep.equal(['notes.txt'])
  })
})
