#!/usr/bin/env node
import { runCommand } from './run-command.js'

// Ignores errors of standard error, so that a command continues after its terminal is closed, even if it prints a
// warning.
process.stderr.on('error', () => undefined)
await runCommand(process.argv.slice(2))
