#!/usr/bin/env node
import { CommanderError } from 'commander'
import { loadEnvFile } from './environment.js'
import { createProgram } from './program.js'

try {
  loadEnvFile()
  await createProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    console.error(explain(error))
    process.exitCode = 1
  }
}

/** `fetch failed` alone says nothing; its cause does. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error && !message.includes(cause.message)
    ? `${message}: ${cause.message}`
    : message
}
