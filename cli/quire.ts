#!/usr/bin/env node
import { runCommand } from './run-command.js'

// If the terminal was closed, writing a warning fails. Without this listener, that would end the command.
process.stderr.on('error', () => undefined)
await runCommand(process.argv.slice(2))
