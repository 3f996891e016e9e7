import { Choice } from '../../ui/choice.tsx'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'

const WORDS = {
  run: { label: 'Run', title: 'Stop only at breakpoints' },
  step: { label: 'Step', title: 'Stop every agent before each tool and model call' },
} as const

/** Run | Step, the same for every agent and viewer. */
export function ModeSwitch() {
  const { actions, workbench } = useViewer()
  const mode = useFacts((state) => state.mode)
  const ready = useFacts((state) => state.link.phase === 'live')
  return (
    <Choice
      legend="Mode"
      options={(['run', 'step'] as const).map((value) => ({ value, ...WORDS[value] }))}
      chosen={mode}
      choose={(chosen) => {
        workbench.setState({ stepping: false })
        actions.setMode(chosen)
      }}
      disabled={!ready}
    />
  )
}
