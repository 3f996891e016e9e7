/** In place of the workbench when the server asks for a token that this page does not have. */
export function TokenNeeded() {
  return (
    <main>
      <h1>This GraphMind asks for its token</h1>
      <p>
        Open the link that <code>graphmind serve</code> printed when it started. It ends in <code>#token=…</code>. Without GRAPHMIND_TOKEN
        there is a new token at each start, so an older link does not open it.
      </p>
    </main>
  )
}
