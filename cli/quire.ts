#!/usr/bin/env node
import { runCommand } from './run-command.js'

// Without this listener, a warning would end the command if its terminal was closed, because writing it fails.
process.stderr.on('error', () => undefined)
await runCommand(process.argv.slice(2))
