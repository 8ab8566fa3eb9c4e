/** What an attribute of JSON may hold. */
export type JsonValue =
  string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** A text in a rich text of blocks. */
export interface TextNode {
  type: 'text'
  text: string
  bold?: boolean | null
  italic?: boolean | null
  underline?: boolean | null
  strikethrough?: boolean | null
  code?: boolean | null
}

/** A link in a rich text of blocks. */
export interface LinkNode {
  type: 'link'
  url: string
  children: TextNode[]
}

/** What stands in a line of blocks. */
export type InlineNode = TextNode | LinkNode

/** A list in a rich text of blocks, or a list in such a list. */
export interface ListNode {
  type: 'list'
  format: 'ordered' | 'unordered'
  children: (ListNode | { type: 'list-item'; children: InlineNode[] })[]
}

/** A node of a rich text of blocks, by its `type`. */
export type BlockNode =
  | { type: 'paragraph' | 'quote' | 'code'; children: InlineNode[] }
  | { type: 'heading'; level: number; children: InlineNode[] }
  | ListNode
  | { type: 'image'; image: { url: string; [key: string]: JsonValue }; children: InlineNode[] }

/** A rich text of blocks. */
export type Blocks = BlockNode[]

/** A smaller version of a picture. */
export interface MediaFormat {
  name: string
  hash: string
  ext: string | null
  mime: string
  /** In pixels. */
  width: number
  height: number
  /** In KB. */
  size: number
  sizeInBytes: number
  url: string
}

/** The smaller versions of a picture, by name: `thumbnail`, `small`, `medium`, `large`. */
export type MediaFormats = { [name: string]: MediaFormat | undefined }
