import path from 'node:path'
import type { Node } from '@babel/types'
import { isObject } from '../../engine/values/is-object.js'
import { scalarTypes, type ScalarType } from '../../engine/values/scalar-type.js'
import { findBase } from '../project/find-base.js'
import { createBudget, listCode } from '../project/list-code.js'
import {
  bare,
  constantsOf,
  memberOf,
  parseModule,
  type Constants,
} from '../project/parse-module.js'
import { readExpression } from '../project/read-module.js'
import { findFile, listFiles, listFolders, readInside } from '../project/safe-folder.js'
import type { CustomFields } from './custom-fields.js'
import { pluginName } from './find-schema-files.js'

type Stated = readonly (readonly [field: string, type: ScalarType])[]

/**
 * Returns the types that a Strapi project declares for its custom fields. Takes them from the project's generated types
 * or, for fields without one, from `register` calls in its code. The code is parsed, never executed.
 */
export async function statedFields(root: string): Promise<CustomFields> {
  return Object.fromEntries([...(await registeredFields(root)), ...(await generatedFields(root))])
}

/**
 * Returns the custom fields in the project's generated types. Reads lines such as `color: Schema.Attribute.String &
 * Schema.Attribute.CustomField<'plugin::color-picker.color'>`.
 */
async function generatedFields(root: string): Promise<Stated> {
  const folder = path.join(root, 'types', 'generated')
  const names = await listFiles(folder, '.d.ts')
  return names.flatMap((name) =>
    [...nodesOf(root, path.join(folder, `${name}.d.ts`), 'CustomField<').nodes].flatMap(
      siblingType,
    ),
  )
}

function siblingType(node: Node): Stated {
  if (node.type !== 'TSIntersectionType') return []
  const names = node.types.map((part) => (part.type === 'TSTypeReference' ? part : undefined))
  const type = names.flatMap((part) => typeOf(nameOf(part?.typeName)) ?? [])[0]
  const given = names.find((part) => nameOf(part?.typeName) === 'CustomField')
  const field = given?.typeParameters?.params[0]
  return type !== undefined &&
    field?.type === 'TSLiteralType' &&
    field.literal.type === 'StringLiteral'
    ? [[field.literal.value, type]]
    : []
}

/** Returns `String` for `Schema.Attribute.String`. */
function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === 'TSQualifiedName') return node.right.name
  return node?.type === 'Identifier' ? node.name : undefined
}

const typeOf = (name: unknown): ScalarType | undefined =>
  scalarTypes.find((type) => type === String(name).toLowerCase())

/** Returns the fields that the project's local plugins, its extensions and its `src/index` register. */
async function registeredFields(root: string): Promise<Stated> {
  const base = await findBase(root)
  if (base === undefined) return []
  const budget = createBudget()
  const own = await findFile(path.join(base, 'index'), ['.ts', '.js', '.mjs', '.cjs'])
  const others = await listCode(root, path.join(base, 'extensions'), budget)
  const fields = [own ?? [], others].flat().flatMap((file) => registeredIn(root, file))
  for (const folder of await listFolders(path.join(base, 'plugins'))) {
    const plugin = path.join(base, 'plugins', folder)
    const name = pluginName(root, plugin) ?? folder
    for (const file of await listCode(root, plugin, budget))
      fields.push(...registeredIn(root, file, name))
  }
  return fields
}

/**
 * Returns the fields that a file passes to `strapi.customFields.register`.
 *
 * @param plugin the local plugin that contains the file; used if the plugin's name in a call is not a literal
 */
function registeredIn(root: string, file: string, plugin?: string): Stated {
  const { nodes, constants } = nodesOf(root, file, 'customFields')
  return [...nodes].flatMap((node) => {
    if (node.type !== 'CallExpression') return []
    const [given] = node.arguments
    if (given === undefined || !isRegister(node.callee)) return []
    const read = readExpression(given, constants)
    if ('fault' in read) return []
    const isComputed = read.skipped.some(({ path }) => path.endsWith('plugin'))
    return [read.value].flat().flatMap((field): Stated => {
      if (!isObject(field) || typeof field.name !== 'string') return []
      const type = typeOf(field.type)
      const owner = field.plugin ?? field.pluginId ?? (isComputed ? plugin : undefined)
      const home = typeof owner === 'string' ? `plugin::${owner}.` : 'global::'
      return type === undefined ? [] : [[`${home}${field.name}`, type]]
    })
  })
}

function isRegister(callee: Node): boolean {
  if (callee.type !== 'MemberExpression' || memberOf(callee) !== 'register') return false
  const object = bare(callee.object)
  return object.type === 'MemberExpression' && memberOf(object) === 'customFields'
}

/** Returns the syntax nodes and constants of a file; none if it does not contain `word` or cannot be parsed. */
function nodesOf(
  root: string,
  file: string,
  word: string,
): Readonly<{ nodes: Iterable<Node>; constants: Constants }> {
  const read = readInside(root, file)
  const parsed =
    'fault' in read || !read.text.includes(word) ? undefined : parseModule(read.text, file)
  if (parsed === undefined || 'fault' in parsed) return { nodes: [], constants: new Map() }
  return { nodes: nodesIn(parsed.body), constants: constantsOf(parsed.body) }
}

function* nodesIn(value: unknown): Generator<Node, void, undefined> {
  if (Array.isArray(value)) for (const member of value) yield* nodesIn(member)
  else if (isObject(value) && typeof value.type === 'string') {
    yield value as unknown as Node
    for (const member of Object.values(value)) yield* nodesIn(member)
  }
}
