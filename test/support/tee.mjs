// Stands between two programs that talk over stdio and writes down every byte: node tee.mjs <file> <command> [args...]
// What goes in is in <file>.in, what comes out in <file>.out.
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'

const [file, command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const [into, outOf] = [createWriteStream(`${file}.in`), createWriteStream(`${file}.out`)]
process.stdin.pipe(child.stdin)
process.stdin.pipe(into)
child.stdout.pipe(process.stdout)
child.stdout.pipe(outOf)
child.stdin.on('error', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('close', (code) => {
  process.stdin.destroy()
  process.exitCode = code ?? 1
})
