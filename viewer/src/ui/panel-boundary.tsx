import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './panel-boundary.module.css'

interface Props {
  readonly name: string
  readonly children: ReactNode
}

/** Keeps a crash inside its panel: the others go on, and this one can be loaded again. */
export class PanelBoundary extends Component<Props, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(`The ${this.props.name} panel crashed:`, error, info.componentStack)
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const report = `${this.props.name} panel\n${error.stack ?? error.message}`
    return (
      <div className={styles.crash} role="alert">
        <p>
          <strong>The {this.props.name} panel crashed.</strong> The rest works on. {error.message}
        </p>
        <div className={styles.buttons}>
          <Button onClick={() => this.setState({ error: undefined })}>Load this panel again</Button>
          <Button onClick={() => void navigator.clipboard.writeText(report)}>Copy report</Button>
        </div>
      </div>
    )
  }
}
