#!/usr/bin/env node
import { runCommand } from './run-command.js'

// A command that runs on after its terminal was closed is not ended by a warning that nobody reads.
process.stderr.on('error', () => undefined)
await runCommand(process.argv.slice(2))
