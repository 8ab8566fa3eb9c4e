import { emailAddress } from '../../values/email-address.js'
import { maxLengthOf, type ScalarAttribute } from '../../schema/attribute.js'
import { valueForms } from '../../values/value-forms.js'
import { isPlainDecimal, isPlainLong } from './number-rules.js'
import { uidPattern } from './scalar-rules.js'
import { isObject } from '../../values/is-object.js'
import { isLink, marks } from './block-rules.js'

type Node = Readonly<Record<string, unknown>>

/** Whether `blocksRule` would leave a value unchanged. */
const isPlainBlocks = (value: unknown): boolean => isListOf(value, isBlock)

const isListOf = (value: unknown, check: (node: Node) => boolean): boolean => {
  if (!Array.isArray(value)) return false
  for (const node of value as readonly unknown[]) if (!isObject(node) || !check(node)) return false
  return true
}

function isBlock(node: Node): boolean {
  switch (node['type']) {
    case 'paragraph':
    case 'quote':
    case 'code':
      return isListOf(node['children'], isInline)
    case 'heading':
      return levels.has(node['level']) && isListOf(node['children'], isInline)
    case 'list':
      return isList(node)
    case 'image':
      return isImage(node['image']) && isListOf(node['children'], isInline)
    default:
      return false
  }
}

const levels: ReadonlySet<unknown> = new Set([1, 2, 3, 4, 5, 6])

const isImage = (image: unknown): boolean =>
  isObject(image) && typeof image['url'] === 'string' && image['url'] !== ''

const isList = (node: Node): boolean =>
  (node['format'] === 'ordered' || node['format'] === 'unordered') &&
  isListOf(node['children'], isListChild)

const isListChild = (node: Node): boolean =>
  node['type'] === 'list'
    ? isList(node)
    : node['type'] === 'list-item' && isListOf(node['children'], isInline)

const isInline = (node: Node): boolean =>
  node['type'] === 'link' ? isLinkNode(node) : isText(node)

const isLinkNode = ({ url, children }: Node): boolean =>
  typeof url === 'string' && isLink(url) && isListOf(children, isText)

function isText(node: Node): boolean {
  if (node['type'] !== 'text' || typeof node['text'] !== 'string') return false
  for (const mark of marks) {
    const value = node[mark]
    if (typeof value !== 'boolean' && value !== null && mark in node) return false
  }
  return true
}

/** Whether the rules of yup would leave a value unchanged. If false, these rules decide. */
export type PlainCheck = (value: unknown) => boolean

/** Corresponds to `scalarRule`, for values other than null and undefined. */
export function scalarCheck(attribute: ScalarAttribute, full: boolean): PlainCheck {
  switch (attribute.type) {
    case 'integer':
      return rangeCheck(attribute, full, Number.isSafeInteger)
    case 'float':
      return rangeCheck(attribute, full, Number.isFinite)
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'enumeration':
      return (value) => typeof value === 'string' && attribute.enum.includes(value)
    case 'email':
      return textCheck(attribute, full, emailAddress)
    case 'uid':
      return textCheck(attribute, full, uidPattern)
    case 'string':
    case 'text':
    case 'richtext':
      return textCheck(attribute, full)
    case 'array':
      return Array.isArray
    // JSON is checked when it is stored.
    case 'json':
      return () => true
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp': {
      const { parse } = valueForms[attribute.type]
      return (value) => parse?.(value).as !== 'nothing'
    }
    case 'decimal':
      return (value) => isPlainDecimal(value, attribute, full)
    case 'biginteger':
      return (value) => isPlainLong(value, attribute, full)
    case 'blocks':
      return isPlainBlocks
    // The value may be a `StoredSecret`, so `passwordRule` decides.
    case 'password':
      return () => false
  }
}

function rangeCheck(
  { min, max }: ScalarAttribute,
  full: boolean,
  isNumber: (value: unknown) => boolean,
): PlainCheck {
  if (!full) return isNumber
  const least = min === undefined ? -Infinity : Number(min)
  const greatest = max === undefined ? Infinity : Number(max)
  return (value) => isNumber(value) && Number(value) >= least && Number(value) <= greatest
}

/** @param form pattern that the string must also match if `full` is set */
function textCheck(attribute: ScalarAttribute, full: boolean, form?: RegExp): PlainCheck {
  const longest = maxLengthOf(attribute)
  if (!full) return (value) => typeof value === 'string' && value.length <= longest
  const { minLength = 0, pattern, type } = attribute
  // Patterns of the definition may be slow, so the rule decides (`patterns.ts`).
  if (pattern !== undefined) return () => false
  const shortest = Math.max(minLength, type === 'email' ? 1 : 0)
  return (value) =>
    typeof value === 'string' &&
    value.length >= shortest &&
    value.length <= longest &&
    (form === undefined || form.test(value))
}
