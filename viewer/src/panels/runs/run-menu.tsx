import type { RunInfo } from '@graphmind-ai/schema'
import { Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Fragment, useState } from 'react'
import { useLocation } from 'wouter'
import { saveRunAs } from '../../commands/export.ts'
import { deleteRuns, pinRuns } from '../../commands/runs.ts'
import { EXPORT_FORMATS } from '../../link/export-run.ts'
import { sessionFilter } from '../../model/run-filter.ts'
import { runsAddress } from '../../model/runs-address.ts'
import { IconButton } from '../../ui/button.tsx'
import menu from '../../ui/menu.module.css'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useViewer } from '../../ui/viewer-context.tsx'
import type { RunEdit } from '../../ui/workbench.ts'

/** Everything that can be done with one run. The menu is made when it is asked for: a list of them would make scrolling slow. */
export function RunMenu({ run, edit }: RunMenuProps) {
  const [askedFor, setAskedFor] = useState<string>()
  // The row became that of another run: its menu must not come open when it is this one's again.
  if (askedFor !== undefined && askedFor !== run.id) setAskedFor(undefined)
  if (askedFor === run.id) return <OpenedMenu run={run} edit={edit} />
  return (
    <IconButton label={`More for ${run.name}`} tabIndex={-1} aria-haspopup="menu" onClick={() => setAskedFor(run.id)}>
      <Ellipsis size={15} aria-hidden="true" />
    </IconButton>
  )
}

interface RunMenuProps {
  readonly run: RunInfo
  readonly edit: (what: RunEdit) => void
}

function OpenedMenu({ run, edit }: RunMenuProps) {
  const viewer = useViewer()
  const [, navigate] = useLocation()
  const keyOf = useKeyOf()
  const { sessionId } = run
  const item = (title: string, keyId: string | undefined, act: () => void, danger = false) => (
    <DropdownMenu.Item className={menu.item} data-danger={danger} onSelect={act}>
      {title}
      {keyId !== undefined && <span className={menu.key}>{keyOf(keyId)}</span>}
    </DropdownMenu.Item>
  )
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>
        <IconButton label={`More for ${run.name}`} tabIndex={-1}>
          <Ellipsis size={15} aria-hidden="true" />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.getElementById('main')}>
        <DropdownMenu.Content className={menu.menu} align="end" onCloseAutoFocus={(event) => event.preventDefault()}>
          {item(run.pinned ? 'Unpin' : 'Pin', 'runs.pin', () => void pinRuns(viewer, [run]))}
          {item('Rename', 'runs.rename', () => edit('name'))}
          {item('Tags and note', 'runs.marks', () => edit('marks'))}
          {sessionId !== undefined &&
            item('Its whole conversation', undefined, () => navigate(runsAddress({ filter: sessionFilter(sessionId), sort: 'started' })))}
          <DropdownMenu.Separator className={menu.line} />
          {EXPORT_FORMATS.map(({ format, title }) => (
            <Fragment key={format}>{item(`Save: ${title}`, undefined, () => saveRunAs(viewer, run.id, format))}</Fragment>
          ))}
          <DropdownMenu.Separator className={menu.line} />
          {item('Delete', 'runs.delete', () => void deleteRuns(viewer, [run]), true)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
