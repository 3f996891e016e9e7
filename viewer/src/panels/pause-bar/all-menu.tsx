import { ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { continuable, continueAll } from '../../commands/held-call.ts'
import { Button } from '../../ui/button.tsx'
import menu from '../../ui/menu.module.css'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'

/** What can be done with all held calls of the run at once. */
export function AllMenu({ offline }: { readonly offline: boolean }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="quiet" aria-label="All held calls">
          All
          <ChevronDown size={13} aria-hidden="true" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content className={menu.menu} align="start" side="top" sideOffset={4} collisionPadding={8}>
        <ContinueItem title="Continue all" id="pause.continue-all" errorsToo offline={offline} />
        <ContinueItem title="Continue all but errors" id="pause.continue-all-but-errors" errorsToo={false} offline={offline} />
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

interface ContinueItemProps {
  readonly title: string
  /** The command that does the same. */
  readonly id: string
  readonly errorsToo: boolean
  readonly offline: boolean
}

/** Says how many it would let go, and can’t be chosen when that is none. */
function ContinueItem({ title, id, errorsToo, offline }: ContinueItemProps) {
  const viewer = useViewer()
  const count = useFacts(() => (offline ? 0 : continuable(viewer, errorsToo).length))
  return (
    <DropdownMenu.Item className={menu.item} disabled={count === 0} onSelect={() => continueAll(viewer, errorsToo)}>
      {title} ({count})<span className={menu.key}>{useKeyOf()(id)}</span>
    </DropdownMenu.Item>
  )
}
