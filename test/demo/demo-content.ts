import { readFileSync } from 'node:fs'

export type DemoWrite = Readonly<{
  locale?: string
  status?: string
  data: Readonly<Record<string, unknown> & { slug?: string }>
}>

export const readDemo = <T>(name: string): T =>
  JSON.parse(
    readFileSync(new URL(`../../../schema/demo/${name}.json`, import.meta.url), 'utf8'),
  ) as T

/** Returns the documents of a type, each as the writes that create it. */
export const demoDocuments = (type: string): readonly (readonly [DemoWrite, ...DemoWrite[]])[] =>
  readDemo(type)
