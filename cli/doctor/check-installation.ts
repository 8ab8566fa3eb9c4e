import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import semver from 'semver'
import { isEngineInstalled } from '../../server/database/embedded/native-engine.js'
import { findLeftOut, remedyOf } from '../../server/lifecycle/left-out.js'
import { packageRoot } from '../../server/settings/own-command.js'
import { ok, problem, warning, type Found } from './finding.js'

type Manifest = Readonly<{ version: string; engines: Readonly<{ node: string }> }>

/** Checks whether Quire supports this version of Node. */
export function checkNode(): Found {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8')
  const { version, engines } = JSON.parse(text) as Manifest
  const message = `Quire ${version} on Node ${process.version}`
  return semver.satisfies(process.versions.node, engines.node)
    ? ok(message)
    : problem(`${message}: it needs ${engines.node}`)
}

/** Reports packages that npm left out. */
export function checkPackages(): Found {
  const leftOut = findLeftOut().flatMap((one) =>
    warning(`${one.name} is not completely installed. ${one.consequence} ${remedyOf(one)}`),
  )
  const engine = isEngineInstalled() ? 'with' : 'without'
  return leftOut.length > 0
    ? leftOut
    : ok(`All required packages are installed, ${engine} the embedded database.`)
}
