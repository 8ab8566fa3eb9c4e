import type { ObjectSchema } from 'yup'
import { array, boolean, lazy, mixed, number, object, string } from 'yup'
import { isObject } from '../../values/is-object.js'
import type { Rule } from './required.js'

/**
 * The rule for a blocks attribute: a list of known nodes with the members that their types require
 * (docs/internals/strapi-behaviour.md, "Attribute types"; docs/internals/decisions.md, "Strict values").
 */
export function blocksRule(): Rule {
  return array().of(blockNode)
}

export const marks = ['bold', 'italic', 'underline', 'strikethrough', 'code'] as const

const textNode = object({
  type: string().oneOf(['text']).required(),
  text: string().defined('Text must be a string').nonNullable('Text must be a string'),
  ...Object.fromEntries(marks.map((mark) => [mark, boolean().nullable()])),
})

const linkNode = object({
  type: string().oneOf(['link']).required(),
  url: string().required().test('link', 'Please specify a valid link.', isLink),
  children: array().of(textNode).required(),
})

const inlineNode = byType({ text: textNode, link: linkNode }, 'Inline node is of invalid type')
const inlineChildren = array().of(inlineNode).required()

const plain = object({ type: string().required(), children: inlineChildren })

const list: ObjectSchema<object> = object({
  type: string().required(),
  format: string().oneOf(['ordered', 'unordered']).required(),
  // A list may contain lists, so this rule refers to itself.
  children: array()
    .of(lazy((value: unknown) => listChild(value)) as unknown as Rule)
    .required(),
})

const listChild = picker({ list, 'list-item': plain }, 'List node is of invalid type')

const blockNode = byType(
  {
    paragraph: plain,
    quote: plain,
    code: plain,
    heading: object({
      type: string().required(),
      level: number().integer().min(1).max(6).required(),
      children: inlineChildren,
    }),
    list,
    image: object({
      type: string().required(),
      image: object({ url: string().required() }).required().default(undefined),
      children: inlineChildren,
    }),
  },
  'Block node is of invalid type',
)

function byType(rules: Readonly<Record<string, Rule>>, fault: string) {
  return lazy(picker(rules, fault))
}

function picker(rules: Readonly<Record<string, Rule>>, fault: string) {
  const known = new Map(Object.entries(rules))
  const refused = mixed().test('node', fault, () => false)
  return (value: unknown): Rule => {
    const type = isObject(value) ? value['type'] : undefined
    return (typeof type === 'string' ? known.get(type) : undefined) ?? refused
  }
}

export function isLink(url: string): boolean {
  return URL.canParse(url.startsWith('/') ? `https://site.invalid${url}` : url)
}
