import { chooseFiles } from '../ui/imports.ts'
import type { Command } from './command.ts'

const always = () => undefined

/** The ways to other pages. */
export const GO_COMMANDS: readonly Command[] = [
  {
    id: 'go.runs',
    group: 'Go',
    title: 'Go to the runs',
    keys: ['g r'],
    unavailable: always,
    run: ({ navigate }) => navigate('/'),
  },
  {
    id: 'go.welcome',
    group: 'Go',
    title: 'Connect an agent, run the demo',
    keys: [],
    unavailable: always,
    run: ({ navigate }) => navigate('/welcome'),
  },
  {
    id: 'go.settings',
    group: 'Go',
    title: 'Go to the settings',
    keys: ['g s'],
    unavailable: always,
    run: ({ navigate }) => navigate('/settings'),
  },
  {
    id: 'go.import',
    group: 'Go',
    title: 'Import trace files…',
    keys: [],
    unavailable: always,
    run: ({ workbench }) => chooseFiles(workbench),
  },
  {
    id: 'go.breakpoints',
    group: 'Go',
    title: 'Go to the breakpoints',
    keys: ['g b'],
    unavailable: always,
    run: ({ navigate }) => navigate('/breakpoints'),
  },
]
