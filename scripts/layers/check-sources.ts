import { posix } from 'node:path'
import escapeRegExp from 'escape-string-regexp'
import { findCycle } from './find-cycle.js'
import type { Layer } from './layer-table.js'
import type { Import, Source } from './read-source.js'

export type LayerRules = Readonly<{
  layers: readonly Layer[]
  reservedPackages: Readonly<Record<string, readonly string[]>>
}>

/**
 * One line for each import that the table does not allow, each reading of `process.env` outside
 * its layer, each `export … from` and `enum`, each file that no layer claims, and one for a cycle of imports; empty = in order.
 */
export function checkSources(sources: readonly Source[], rules: LayerRules): readonly string[] {
  const cycle = findCycle(new Map(sources.map((s) => [s.file, importedFiles(s)])))
  return [
    ...sources.flatMap((source) => checkSource(source, rules)),
    ...(cycle ? [`cycle: ${cycle.join(' -> ')}`] : []),
  ]
}

/** Where a file is: of `server/:feature/`, each folder is a layer of its own. */
type Place = Readonly<{ layer: Layer; folder: string }>

function checkSource(source: Source, rules: LayerRules): readonly string[] {
  const place = placeOf(source.file, rules.layers)
  if (!place) return [`${source.file}: no layer of the table claims this file`]
  const environment = place.layer.environment
    ? []
    : source.environmentLines.map(
        (line) => `${source.file}:${line}: ${place.layer.name} may not read process.env`,
      )
  const imports = source.imports.flatMap((one) => {
    const problem = isRelative(one)
      ? checkFile(one, targetOf(source.file, one), place, rules.layers)
      : checkPackage(one, place.layer, rules)
    return problem === undefined ? [] : [`${source.file}:${one.line}: ${problem}`]
  })
  const refused = source.refused.map(({ line, why }) => `${source.file}:${line}: ${why}`)
  return [...environment, ...imports, ...refused]
}

function checkFile(
  one: Import,
  file: string,
  { layer, folder }: Place,
  layers: readonly Layer[],
): string | undefined {
  const target = placeOf(file, layers)
  if (!target) return `${file} is in no layer`
  if (target.layer === layer && target.folder === folder) return undefined
  const isExcepted = layer.except?.includes(target.layer.name) === true
  if (isExcepted) return `${layer.name} may not import ${file} (${target.layer.name})`
  if (allows(layer.imports, target.layer.name) && target.layer !== layer) return undefined
  if (layer.imports === 'all') return undefined
  const types = layer.types ?? []
  if (one.typeOnly && types.includes(target.layer.name)) return undefined
  return (
    `${layer.name} may not import ${one.typeOnly ? 'types of ' : ''}${file} (${target.layer.name}); ` +
    `allowed: ${list(layer.imports)}; types of ${list(types)}`
  )
}

function checkPackage(one: Import, layer: Layer, rules: LayerRules): string | undefined {
  const name = packageOf(one.specifier)
  const holders = rules.reservedPackages[name]
  if (holders && !holders.includes(layer.name))
    return `${layer.name} may not import ${name}; only ${list(holders)} may`
  if (allows(layer.packages, name)) return undefined
  return `${layer.name} may not import ${name}; allowed: ${list(layer.packages as readonly string[])}`
}

const allows = (allowed: readonly string[] | 'all', name: string): boolean =>
  allowed === 'all' || allowed.includes(name)

const list = (names: readonly string[]): string => names.join(', ') || 'nothing'

const isRelative = ({ specifier }: Import): boolean => specifier.startsWith('.')

const targetOf = (file: string, { specifier }: Import): string =>
  posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts')

const importedFiles = (source: Source): readonly string[] =>
  source.imports.filter(isRelative).map((one) => targetOf(source.file, one))

const packageOf = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

function placeOf(file: string, layers: readonly Layer[]): Place | undefined {
  for (const layer of layers)
    for (const pattern of layer.files) {
      const folder = matchPattern(pattern, file)
      if (folder !== undefined) return { layer, folder }
    }
  return undefined
}

/** The folder that `:name` of a pattern stands for, empty where it has none; undefined = no match. */
function matchPattern(pattern: string, file: string): string | undefined {
  const expression = new RegExp(
    `^${escapeRegExp(pattern).replace(/:\w+/g, '[^/]+').replace('\\*', '[^/]*')}${pattern.endsWith('/') ? '' : '$'}`,
  )
  const matched = expression.exec(file)?.[0]
  return matched === undefined || pattern.includes(':') ? matched : ''
}
