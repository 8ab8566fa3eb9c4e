/** A value of a JSON attribute. */
export type JsonValue =
  string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** A text node of a blocks rich text. */
export interface TextNode {
  type: 'text'
  text: string
  bold?: boolean | null
  italic?: boolean | null
  underline?: boolean | null
  strikethrough?: boolean | null
  code?: boolean | null
}

/** A link node. */
export interface LinkNode {
  type: 'link'
  url: string
  children: TextNode[]
}

/** An inline node. */
export type InlineNode = TextNode | LinkNode

/** A list node, which may be nested. */
export interface ListNode {
  type: 'list'
  format: 'ordered' | 'unordered'
  children: (ListNode | { type: 'list-item'; children: InlineNode[] })[]
}

/** A top-level node. */
export type BlockNode =
  | { type: 'paragraph' | 'quote' | 'code'; children: InlineNode[] }
  | { type: 'heading'; level: number; children: InlineNode[] }
  | ListNode
  | { type: 'image'; image: { url: string; [key: string]: JsonValue }; children: InlineNode[] }

/** A blocks rich text. */
export type Blocks = BlockNode[]

/** A smaller version of an image. */
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

/** Smaller versions by name: `thumbnail`, `small`, `medium`, `large`. */
export type MediaFormats = { [name: string]: MediaFormat | undefined }
