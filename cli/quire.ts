#!/usr/bin/env node
import { runCommand } from './run-command.js'

// Without this listener, writing a warning would end the command if its terminal was closed.
process.stderr.on('error', () => undefined)
await runCommand(process.argv.slice(2))
