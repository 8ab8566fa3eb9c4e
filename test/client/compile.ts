import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** A complaint of the compiler: in which line, counted from 1, and in its words, those of its reasons among them. */
type Complaint = Readonly<{ file: string; line: number; message: string }>

export type Compiled = Readonly<{
  complaints: readonly Complaint[]
  /** How much the compiler had to do, whatever the machine. */
  instantiations: number
}>

/** Options that people compile with who are strict, for browsers, with nothing of Node. */
export const strictest: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  // What comes with TypeScript is right.
  skipDefaultLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Path of a file of the project, given by its path from the root. */
export const inProject = (file: string): string => `${root}${file}`

/**
 * Compiles files, and nothing is written. `texts` are files that are not there, or are there with another text, by
 * their paths. What comes with TypeScript is looked at once.
 */
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
