export { FakeViewer, type FakeViewerOptions, type ReceivedEvent, startFakeViewer } from './fake-viewer.ts'
