import type { FieldForm, LinkPlan } from '../plan/read-plan.js'
import { bsonType, readText } from '../stored/stored-bson.js'
import { expiresParameter, fileNameIn, signedQuery } from '../../values/link-signature.js'
import type { JsonWriter } from './json-writer.js'
import { writeJson, writeMembers, type WriteMember } from './write-json.js'

export type LinkedForm = Extract<FieldForm, 'link' | 'versions' | 'blocks'>

/**
 * Where a value contains URLs. `here`: the value is a URL. `each`: in every member. `in`: in the members with these
 * names.
 */
type Place = 'here' | Readonly<{ each: Place }> | Readonly<{ in: ReadonlyMap<string, Place> }>

const versions: Place = { each: { in: new Map([['url', 'here']]) } }
const file: Place = {
  in: new Map<string, Place>([
    ['url', 'here'],
    ['formats', versions],
  ]),
}
const places: Readonly<Record<LinkedForm, Place>> = {
  link: 'here',
  versions,
  // The blocks editor stores a copy of the file in each image block.
  blocks: { each: { in: new Map([['image', file]]) } },
}

/** Writes a value in which signed links replace the URLs of files (docs/internals/decisions.md, "Private files"). */
export function writeLinks(
  writer: JsonWriter,
  form: LinkedForm,
  links: LinkPlan,
  type: number,
  bytes: Buffer,
  at: number,
): void {
  const write = (place: Place, type: number, at: number): void => {
    if (place === 'here') {
      const link = type === bsonType.text ? linkOf(readText(bytes, at), links) : undefined
      return link === undefined
        ? writeJson(writer, type, bytes, at)
        : writer.utf8(JSON.stringify(link))
    }
    if (type === bsonType.document || type === bsonType.array)
      return writeMembers(writer, bytes, at, type === bsonType.document, writeMember(place))
    writeJson(writer, type, bytes, at)
  }
  const writeMember =
    (place: Exclude<Place, 'here'>): WriteMember =>
    (_writer, type, _bytes, at, nameAt) => {
      const inner =
        'each' in place ? place.each : place.in.get(bytes.toString('utf8', nameAt, at - 1))
      if (inner === undefined) writeJson(writer, type, bytes, at)
      else write(inner, type, at)
    }
  write(places[form], type, at)
}

/** Returns the signed link for a URL. Returns undefined if the URL is not that of a file of this service. */
function linkOf(address: string, links: LinkPlan): string | undefined {
  const name = fileNameIn(address, links.prefixes)
  return name === undefined ? undefined : `${links.path}${name}?${queryOf(name, links)}`
}

/** Query strings of signed links, by file name. They are valid for the expiry time and the key in `signedFor`. */
const signed = new Map<string, string>()
const maxSigned = 20_000
let signedFor = ''

/** Returns the query string of a signed link. A file is signed once per expiry time. */
function queryOf(name: string, { key, expires }: LinkPlan): string {
  const window = `${expires} ${key}`
  if (window !== signedFor || signed.size >= maxSigned) signed.clear()
  signedFor = window
  const known = signed.get(name)
  if (known !== undefined) return known
  const query = signedQuery(key, name, new URLSearchParams({ [expiresParameter]: String(expires) }))
  signed.set(name, query)
  return query
}
