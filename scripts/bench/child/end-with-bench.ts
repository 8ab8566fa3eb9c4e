/** Loaded with `--import` into every server that is measured: it ends when the benchmark is gone. */
import '../../../server/processes/end-with-parent.js'

// The channel alone is no reason to keep running.
process.channel?.unref()
