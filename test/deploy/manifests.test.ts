import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parse } from 'yaml'
import { loadConfig } from '../../server/settings/config.js'
import { variableOf } from '../../server/settings/read-settings.js'
import { settingsTable } from '../../server/settings/settings.js'
import { variables } from '../../server/settings/variables.js'
import { composeCheck, kubernetesCheck } from './support/schema-check.js'

const root = new URL('../../../', import.meta.url)
const read = (path: string): unknown => parse(readFileSync(new URL(path, root), 'utf8'))

type Manifest = Readonly<{ kind: string; metadata: { name: string }; spec: unknown; data: Env }>
type Env = Readonly<Record<string, string>>
type Container = Readonly<{
  env: readonly Readonly<{ name: string; value: string }>[]
  ports: readonly Readonly<{ name: string; containerPort: number }>[]
  securityContext: unknown
}>
type PodSpec = Readonly<{
  terminationGracePeriodSeconds: number
  containers: readonly [Container]
}>
type Kustomization = Readonly<{ resources: readonly string[] }>

const folder = 'deploy/kubernetes'
const { resources } = read(`${folder}/kustomization.yaml`) as Kustomization
const manifest = (name: string) => read(`${folder}/${name}`) as Manifest
const podSpec = (): PodSpec =>
  (manifest('deployment.yaml').spec as { template: { spec: PodSpec } }).template.spec

describe('Kubernetes manifests', () => {
  it('are all applied, except the example of secrets', () => {
    const files = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.yaml'))
    expect([...resources, 'kustomization.yaml', 'secret.example.yaml'].sort()).to.deep.equal(
      files.sort(),
    )
  })

  const check = kubernetesCheck()
  for (const name of [...resources, 'secret.example.yaml'])
    it(`match the schema of their kind: ${name}`, () => {
      expect(check(manifest(name))).to.deep.equal([])
    })

  it('fail the schema with an unknown member, a wrong type or a missing member', () => {
    const deployment = JSON.parse(JSON.stringify(manifest('deployment.yaml'))) as {
      spec: { template: { spec: Record<string, unknown> }; selector?: unknown }
    }
    deployment.spec.template.spec['terminationGracePeriod'] = 45
    deployment.spec.template.spec['enableServiceLinks'] = 'no'
    delete deployment.spec.selector
    expect(check(deployment)).to.deep.equal([
      '/spec must have required property \'selector\' {"missingProperty":"selector"}',
      '/spec/template/spec must NOT have additional properties {"additionalProperty":"terminationGracePeriod"}',
      '/spec/template/spec/enableServiceLinks must be boolean {"type":"boolean"}',
    ])
  })

  it('use only known settings, and give a pod enough time to shut down', () => {
    const { containers, terminationGracePeriodSeconds } = podSpec()
    const files = containers[0].env.filter(({ name }) => name.endsWith('_FILE'))
    // The files do not exist: an error for a missing file shows that Quire knows the variable.
    expect(() =>
      loadConfig(Object.fromEntries(files.map(({ name }) => [name, '/nowhere']))),
    ).to.throw(files.map(({ name }) => `${name} cannot be read`)[0])
    const known = [...Object.keys(variables), ...Object.keys(settingsTable).map(variableOf)]
    expect(known).to.include.members(Object.keys(manifest('config.yaml').data))
    const { settings } = loadConfig(
      { ...manifest('config.yaml').data, SCHEMA_DIR: '', NODE_ENV: 'production' },
      '/nowhere',
    )
    expect(terminationGracePeriodSeconds * 1000).to.be.above(
      settings['http.shutdownDelayMs'] +
        settings['http.shutdownTimeoutMs'] +
        settings['http.shutdownGraceMs'] +
        10_000,
    )
  })

  it('let a pod write only to its data folder, as an unprivileged user', () => {
    expect(podSpec()).to.deep.include({
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      automountServiceAccountToken: false,
    })
    expect(podSpec().containers[0].securityContext).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })
})

describe('compose.yaml', () => {
  for (const path of ['compose.yaml', 'template/compose.yaml'])
    it(`matches the schema of Compose files, and publishes the port on this machine only: ${path}`, () => {
      const compose = read(path) as { services: { quire: { ports: readonly string[] } } }
      expect(composeCheck()(compose)).to.deep.equal([])
      expect(compose.services.quire.ports).to.deep.equal(['127.0.0.1:1337:1337'])
    })

  it('uses only known variables', () => {
    const { services } = read('compose.yaml') as { services: { quire: { environment: Env } } }
    const { environment } = services.quire
    const given = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'))
    const env = { ...Object.fromEntries(given), SCHEMA_DIR: '', ADMIN_EMAIL: 'a@example.org' }
    expect(loadConfig({ ...env, ADMIN_PASSWORD: 'x' }).mongodbUri).to.equal(
      'mongodb://mongodb:27017/quire?replicaSet=rs0',
    )
  })
})
