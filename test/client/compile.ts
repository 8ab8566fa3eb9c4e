import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** `line` counts from 1; `message` includes the chain of reasons. */
type Complaint = Readonly<{ file: string; line: number; message: string }>

export type Compiled = Readonly<{
  complaints: readonly Complaint[]
  /** Work of the compiler, independent of the machine. */
  instantiations: number
}>

/** The strictest options, for browsers and without Node's types. */
export const strictest: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Returns the absolute path of a file of the project. */
export const inProject = (file: string): string => `${root}${file}`

/** Compiles files without writing output. `texts`: contents of additional or replaced files, by path. */
export function compile(
  files: readonly string[],
  texts: Readonly<Record<string, string>> = {},
  options: ts.CompilerOptions = strictest,
): Compiled {
  const host = ts.createCompilerHost(options)
  const getSourceFile = host.getSourceFile.bind(host)
  const fileExists = host.fileExists.bind(host)
  const readFile = host.readFile.bind(host)
  host.fileExists = (file) => Object.hasOwn(texts, file) || fileExists(file)
  host.readFile = (file) => texts[file] ?? readFile(file)
  host.getSourceFile = (file, version, ...more) => {
    const text = texts[file]
    if (text !== undefined) return ts.createSourceFile(file, text, version, true)
    if (!file.includes('/typescript/lib/')) return getSourceFile(file, version, ...more)
    const known = libraries.get(file) ?? getSourceFile(file, version, ...more)
    libraries.set(file, known)
    return known
  }
  const program = ts.createProgram([...files], options, host)
  const complaints = ts.getPreEmitDiagnostics(program).map(complaintOf)
  return { complaints, instantiations: program.getInstantiationCount() }
}

const libraries = new Map<string, ts.SourceFile | undefined>()

function complaintOf({ file, start = 0, messageText }: ts.Diagnostic): Complaint {
  const message = ts.flattenDiagnosticMessageText(messageText, '\n')
  if (file === undefined) return { file: '', line: 0, message }
  const { line } = file.getLineAndCharacterOfPosition(start)
  return { file: file.fileName.replace(root, ''), line: line + 1, message }
}
