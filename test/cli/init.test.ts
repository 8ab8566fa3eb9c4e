import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseEnv } from 'node:util'
import { expect } from 'chai'
import { DockerfileParser } from 'dockerfile-ast'
import { parse } from 'yaml'
import { createIgnore } from '../deploy/support/docker-context.js'
import { quireCommand } from '../support/quire-command.js'
import { runQuireInProcess } from '../support/quire-in-process.js'
import { startInProcess } from '../support/service-in-process.js'
import { folderForEach } from '../support/temporary-folder.js'

describe('quire init', () => {
  const folderOf = folderForEach()
  const createProject = async (...options: readonly string[]) => {
    const cwd = await folderOf({})
    const ran = await runQuireInProcess(['init', 'My Site', '--no-install', ...options], { cwd })
    expect(ran, ran.stderr).to.include({ code: 0, stderr: '' })
    const folder = join(cwd, 'My Site')
    const text = (name: string) => readFile(join(folder, name), 'utf8')
    return { cwd, folder, text, output: ran.stdout }
  }

  it('creates a project that passes quire check, and prints the next steps', async () => {
    const { folder, text, output } = await createProject('--from', '^0.1.0')
    expect(output).to.match(/\n {2}cd 'My Site'\n {2}npm install\n {2}npm start\n/)
    expect(await readdir(folder)).to.have.members([
      ...['.dockerignore', '.env', '.env.example', '.gitignore', 'Dockerfile', 'README.md'],
      ...['compose.yaml', 'config', 'package.json', 'quire.config.json', 'schema'],
    ])
    expect(JSON.parse(await text('package.json'))).to.deep.include({
      ...{ name: 'my-site', private: true, dependencies: { 'quire-content': '^0.1.0' } },
    })
    expect(await text('README.md')).to.match(/^# my-site\n/)
    const env = { PORT: '0' }
    const check = await runQuireInProcess(['check', '--strict'], { cwd: folder, env })
    expect(check).to.include({ code: 0 })
    expect(check.stdout).to.include('endpoints: /api/articles, /api/authors')
    // `--magazine` adds the content-types that the demo's content needs.
    const magazine = await createProject('--magazine')
    const other = await runQuireInProcess(['check', '--strict'], { cwd: magazine.folder, env })
    expect(other.stdout).to.include('/api/homepage').and.include('It would start.')
  })

  it('uses the strict profile without a terminal, and says so', async () => {
    const { output, text } = await createProject()
    expect(output.split('\n')[0]).to.equal(
      'Profile: strict, which refuses unknown parameters, and keeps drafts private. --profile strapi responds like a Strapi without its strict flags.',
    )
    const settings = { 'api.rest.maxLimit': 100 }
    const read = async (one: { text: typeof text }) =>
      JSON.parse(await one.text('quire.config.json')) as object
    expect(await read({ text })).to.deep.equal({ profile: 'strict', ...settings })
    const strapi = await createProject('--profile', 'strapi')
    expect(strapi.output).to.not.include('Profile')
    expect(await read(strapi)).to.deep.equal({ profile: 'strapi', ...settings })
    const wrong = await runQuireInProcess(['init', 'site', '--profile', 'loose'], {
      cwd: strapi.cwd,
    })
    expect(wrong.code).to.equal(2)
  })

  it('asks for the profile on a terminal', async function () {
    const cwd = await folderOf({})
    const command = `"${process.execPath}" "${quireCommand}" init site --no-install`
    // `script` of util-linux runs a command in a terminal.
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd })
    const hasScript = await once(child, 'spawn').then(
      () => true,
      () => false,
    )
    if (!hasScript) this.skip()
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      if (chunk.includes('[strict]')) child.stdin.write('strapi\n')
    })
    await once(child, 'close')
    expect(output).to.include('Which profile? [strict] ').and.to.include('npm start')
    expect(JSON.parse(await readFile(join(cwd, 'site/quire.config.json'), 'utf8'))).to.include({
      profile: 'strapi',
    })
  })

  it('creates a project without content-types that starts', async () => {
    const { folder, text, output } = await createProject('--empty')
    expect(output).to.include('(README.md shows a first content-type)')
    expect(await readdir(join(folder, 'schema'), { recursive: true })).to.deep.equal([
      ...['content-types', 'content-types/.gitkeep'],
    ])
    const readme = await text('README.md')
    expect(readme).to.not.match(/articles|sample types/)
    const check = await runQuireInProcess(['check'], { cwd: folder })
    expect(check).to.include({ code: 0 })
    const event = /```json\n([^]*?)```/.exec(readme)?.[1] ?? ''
    await writeFile(join(folder, 'schema/content-types/event.json'), event)
    const service = await startInProcess({}, folder)
    try {
      expect((await fetch(`${service.url}/api/events`)).status).to.equal(403)
    } finally {
      await service.stop()
    }
    const both = await runQuireInProcess(['init', 'b', '--empty', '--magazine'], { cwd: folder })
    expect(both.code).to.equal(2)
    expect(both.stderr).to.include("option '--empty' cannot be used with option '--magazine'")
  })

  it('quotes what it prints and writes of a Strapi project for the shell and for .env', async () => {
    const values = { accessKeyId: "it's $5", secretAccessKey: String.raw`it's "one" #1\n` }
    const s3Options = { credentials: values, region: 'eu', params: { Bucket: 'files' } }
    const config = { provider: 'aws-s3', providerOptions: { s3Options } }
    const parent = await folderOf({
      "Ada's shop/package.json": { dependencies: { '@strapi/strapi': '5.54.0' } },
      "Ada's shop/config/plugins.js": `module.exports = ${JSON.stringify({ upload: { config } })}\n`,
    })
    const shop = join(parent, "Ada's shop")
    const { folder, text, output } = await createProject('--from-strapi', shop)
    const quoted = (path: string): string => `'${path.replace("'", String.raw`'\''`)}'`
    const archive = quoted(join(relative(folder, shop), 'export.tar.gz'))
    expect(output)
      .to.include(`npx quire check ${quoted(shop)}\n`)
      .and.to.include(`\n  cd 'My Site'\n`)
      .and.to.include(`\n  (cd ${quoted(relative(folder, shop))} && npm run strapi export`)
      .and.to.include(`\n  npx quire import-strapi ${archive} --dry-run\n`)
    expect(parseEnv(await text('.env'))).to.include({
      UPLOAD_S3_ACCESS_KEY_ID: values.accessKeyId,
      UPLOAD_S3_SECRET_ACCESS_KEY: values.secretAccessKey,
    })
  })

  it('creates no folder if .env cannot hold a value of the Strapi project', async () => {
    const credentials = { accessKeyId: 'key', secretAccessKey: "it's `one` $5" }
    const config = { provider: 'aws-s3', providerOptions: { s3Options: { credentials } } }
    const cwd = await folderOf({
      'shop/package.json': { dependencies: { '@strapi/strapi': '5.54.0' } },
      'shop/config/plugins.js': `module.exports = ${JSON.stringify({ upload: { config } })}\n`,
    })
    const ran = await runQuireInProcess(['init', 'site', '--from-strapi', 'shop'], { cwd })
    expect(ran).to.deep.include({ code: 1, stdout: '' })
    expect(ran.stderr).to.equal(
      'UPLOAD_S3_SECRET_ACCESS_KEY cannot be written into .env, because no kind of quotes can enclose its value: ' +
        'it contains \' and `, and also ", \\ or $\n',
    )
    expect(await readdir(cwd)).to.deep.equal(['shop'])
  })

  it('copies definitions and settings of a Strapi project, and prints how to import its content', async () => {
    const shop = await folderOf({
      'package.json': { dependencies: { '@strapi/strapi': '5.54.0' } },
      '.env': 'PORT=4242\n',
      'config/server.ts': "export default ({ env }) => ({ port: env.int('PORT', 1337) })\n",
      'config/api.js': 'module.exports = { rest: { maxLimit: 50 } }\n',
      'src/api/shop/content-types/product/schema.json': {
        ...{ kind: 'collectionType', collectionName: 'products' },
        info: { singularName: 'product', pluralName: 'products', displayName: 'Product' },
        attributes: {
          name: { type: 'string' },
          price: { type: 'component', component: 'shared.price' },
        },
      },
      'src/components/shared/price.json': {
        ...{ collectionName: 'prices', info: { displayName: 'Price' } },
        attributes: { amount: { type: 'decimal' } },
      },
      'src/extensions/users-permissions/content-types/user/schema.json': {
        ...{ kind: 'collectionType', collectionName: 'up_users' },
        info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
        attributes: { phone: { type: 'string' } },
      },
    })
    const { cwd, folder, text, output } = await createProject(
      '--from-strapi',
      shop,
      '--profile',
      'strapi',
    )
    const sourcePath = relative(folder, shop)
    expect(output).to.equal(
      `Made ${folder}
Copied 2 content-types and 1 component from ${shop}, and the settings api.rest.maxLimit. To see what is adapted and left out: npx quire check ${shop}
Then:
  cd 'My Site'
  npm install
  (cd ${sourcePath} && npm run strapi export -- --no-encrypt --file export)
  npx quire import-strapi ${sourcePath}/export.tar.gz --dry-run
  npx quire import-strapi ${sourcePath}/export.tar.gz
  npm start
The e-mail address and the password of the admin are in .env. README.md shows the first requests.
`,
    )
    expect(JSON.parse(await text('quire.config.json'))).to.deep.equal({
      ...{ profile: 'strapi', 'api.rest.maxLimit': 50 },
    })
    expect(parseEnv(await text('.env'))).to.include({ PORT: '4242' })
    expect(await text('README.md'))
      .to.include('localhost:4242/admin/login')
      .and.to.not.include('1337')
    const check = await runQuireInProcess(['check'], { cwd: folder })
    expect(check).to.include({ code: 0 })
    expect(check.stdout).to.include('endpoints: /api/products').and.to.not.include('articles')
    const service = await startInProcess({}, folder)
    const { contentTypes } = service.services.registry()
    await service.stop()
    expect([...(contentTypes.get('api::shop.product')?.attributes.keys() ?? [])])
      .to.include('name')
      .and.to.include('price')
    expect(contentTypes.get('plugin::users-permissions.user')?.attributes.has('phone')).to.equal(
      true,
    )
    const nothing = await runQuireInProcess(['init', 'c', '--from-strapi', 'nowhere'], { cwd })
    expect(nothing).to.deep.equal({
      ...{ code: 1, stdout: '' },
      stderr: `There is no folder ${join(cwd, 'nowhere')}\n`,
    })
    expect(await readdir(cwd)).to.deep.equal(['My Site'])
  })

  it('writes a README with working links and the origin of Quire', async () => {
    const checkout = await createProject()
    const readme = await checkout.text('README.md')
    const links = [...readme.matchAll(/\]\((\S+?)\)|https?:\/\/(?!localhost)\S+/g)]
    const installed = 'node_modules/quire-content/'
    expect(links).to.have.lengthOf(1)
    for (const [all, link = all] of links) {
      expect(link.startsWith(installed), link).to.equal(true)
      await stat(new URL(`../../../${link.slice(installed.length)}`, import.meta.url))
    }
    expect(readme).to.match(/\nQuire is linked to the checkout in `\/\S+`, /)
    const cwd = await folderOf({ 'quire-content-0.1.0.tgz': '' })
    const packed = ['init', 'site', '--no-install', '--from', 'quire-content-0.1.0.tgz']
    expect(await runQuireInProcess(packed, { cwd })).to.include({ code: 0 })
    expect(await readFile(join(cwd, 'site', 'README.md'), 'utf8')).to.include(
      '\nQuire is installed from `quire-content-0.1.0.tgz` in this folder. ',
    )
    const version = await createProject('--from', '^0.1.0')
    expect(await version.text('README.md')).to.include(
      'Quire is installed from `^0.1.0` (`package.json`).',
    )
    for (const text of [readme, await version.text('README.md')])
      expect(text).to.not.include('npm update').and.not.include('{{')
  })

  it('generates secrets per project, in a file that only its owner can read and git ignores', async () => {
    const [one, other] = [await createProject(), await createProject()]
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
    const firstLines = (await one.text('.env')).split('\n\n')[0]
    expect(firstLines).to.match(/^# Settings and secrets of this project\. /)
    expect(firstLines).to.not.include('Copy it')
    const production = await runQuireInProcess(['doctor', '--json'], {
      ...{ cwd: one.folder, env: { NODE_ENV: 'production' } },
    })
    expect(production.stdout).to.not.include('random').and.not.include('SECRET')
  })

  it('lets Docker copy the files of the image, but no secrets', async () => {
    const { folder, text } = await createProject()
    const ignore = createIgnore(await text('.dockerignore'))
    const copied = DockerfileParser.parse(await text('Dockerfile'))
      .getCOPYs()
      .flatMap((copy) =>
        copy
          .getArguments()
          .slice(0, -1)
          .map((argument) => argument.getValue()),
      )
    expect(copied).to.include.members(['package.json', 'quire.config.json', 'schema', 'config'])
    // Docker refuses to copy a folder that is missing, and git does not store an empty one.
    expect(await readdir(join(folder, 'config'))).to.deep.equal(['.gitkeep'])
    const files = ['schema/content-types/a.json', 'config/.gitkeep', 'config/roles.json']
    for (const path of ['package.json', 'quire.config.json', ...files])
      expect(ignore.ignores(path), path).to.equal(false)
    for (const path of ['.env', '.data/database/x', 'node_modules/a/package.json'])
      expect(ignore.ignores(path), path).to.equal(true)
    const { services } = parse(await text('compose.yaml')) as { services: Record<string, object> }
    expect(Object.keys(services)).to.deep.equal(['quire', 'mongodb'])
  })

  it('refuses a folder that is not empty, and leaves it unchanged', async () => {
    const cwd = await folderOf({ 'site/notes.txt': 'mine' })
    const ran = await runQuireInProcess(['init', 'site', '--no-install'], { cwd })
    expect(ran).to.include({ code: 1, stdout: '' })
    expect(ran.stderr).to.match(/site is not empty: it has notes\.txt\n$/)
    expect(await readdir(join(cwd, 'site'))).to.deep.equal(['notes.txt'])
  })
})
