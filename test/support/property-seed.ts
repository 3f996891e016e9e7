import fc from 'fast-check'

// Property tests look at new cases on every developer's run. In CI they repeat the same ones, so that a change is judged by what it changed.
if (process.env['CI'] !== undefined) fc.configureGlobal({ seed: 20261130 })
