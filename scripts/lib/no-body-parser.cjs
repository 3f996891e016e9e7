// Stands for `body-parser` in the bundle. Express loads it for `express.json` and its like, which we don't use: bodies are read against a
// budget (`serve/read-body.ts`). Its tables of character sets are a third of what the collector would read at each start.
