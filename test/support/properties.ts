import fc from 'fast-check'

// A counterexample is only made smaller where somebody looks at it: in CI a test that does so runs into its time
// limit, which hides the failure. The seed and path that are told give the same counterexample anywhere.
fc.configureGlobal({
  // Mocha tells the message of an error alone, without its cause.
  includeErrorInReport: true,
  endOnFailure: process.env['CI'] === 'true',
})
