import { isObject } from '../../values/is-object.js'
import { isLink, marks } from './block-rules.js'

type Node = Readonly<Record<string, unknown>>

/** Whether `blocksRule` accepts a value and leaves it unchanged. */
export const isPlainBlocks = (value: unknown): boolean => isListOf(value, isBlock)

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
