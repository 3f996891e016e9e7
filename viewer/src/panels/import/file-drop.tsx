import { FileDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { importFiles } from '../../ui/imports.ts'
import { useViewer } from '../../ui/viewer-context.tsx'
import styles from './import.module.css'

/** Takes trace files that are dropped anywhere on the page. */
export function FileDrop() {
  const { workbench } = useViewer()
  const [over, setOver] = useState(false)
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    // Going from one element to the next leaves the first: only what leaves the page counts.
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      void importFiles(workbench, [...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', onDragOver)
    window.addEventListener('dragleave', onDragLeave)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragover', onDragOver)
      window.removeEventListener('dragleave', onDragLeave)
      window.removeEventListener('drop', onDrop)
    }
  }, [workbench])
  if (!over) return null
  return (
    <div className={styles.over}>
      <p>
        <FileDown size={22} aria-hidden="true" />
        Drop trace files to import them
      </p>
    </div>
  )
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}
