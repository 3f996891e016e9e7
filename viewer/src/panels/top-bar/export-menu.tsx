import { Download, Link as LinkIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useLocation, useSearch } from 'wouter'
import { saveRunAs } from '../../commands/export.ts'
import { copy, linkTo } from '../../commands/run-view.ts'
import { EXPORT_FORMATS } from '../../link/export-run.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import menu from '../../ui/menu.module.css'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useViewer } from '../../ui/viewer-context.tsx'
import styles from './export-menu.module.css'

/** The ways out of the page for the open run: as a file, or as a link to what is shown. */
export function ExportMenu({ runId }: { runId: string }) {
  const viewer = useViewer()
  const keyOf = useKeyOf()
  const [path] = useLocation()
  const query = useSearch()
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton label="Save or share">
          <Download size={15} aria-hidden="true" />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content className={cx(menu.menu, styles.menu)} align="end" sideOffset={4}>
        <DropdownMenu.Label className={styles.label}>Save the run</DropdownMenu.Label>
        {EXPORT_FORMATS.map(({ format, title, detail }) => (
          <DropdownMenu.Item key={format} className={menu.item} onSelect={() => saveRunAs(viewer, runId, format)}>
            {title}
            <span className={menu.key}>{detail}</span>
          </DropdownMenu.Item>
        ))}
        <p className={styles.note}>
          Values under secret keys such as <code>api_key</code> are left out. <code>graphmind export</code> can keep them.
        </p>
        <DropdownMenu.Separator className={menu.line} />
        <DropdownMenu.Item
          className={menu.item}
          onSelect={() => copy(linkTo({ ...viewer, address: { path, query } }), viewer.workbench, 'Link copied')}
        >
          <span className={styles.withIcon}>
            <LinkIcon size={13} aria-hidden="true" /> Copy a link to this view
          </span>
          <kbd className={menu.key}>{keyOf('run.copy-link')}</kbd>
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
